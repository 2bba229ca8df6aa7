/**
 * Stores facts about a session between processes: that it started, the agent's own id for it, and
 * the time of its last activity.
 */
import { mkdirSync, readFileSync, utimesSync } from 'node:fs';
import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { LegionError } from '../../core/model/fault.ts';
import { writeDurablySync } from '../../lib/fs/atomic-write.ts';

/**
 * Minimum interval between updates of the timestamp. Readers need it only to the minute, so not
 * every line of output needs a write.
 */
const TOUCH_MS = 1_000;

const recordSchema = z.object({ native: z.string().optional() });

export interface SessionRecord {
  /** Directory for files of this session only. */
  readonly folder: string;
  readonly native: string | undefined;
  /** Call when the agent has started or continued the session under this id. */
  recordNative(native: string): void;
  /** Call when the agent has written output. */
  touch(): void;
}

/**
 * Throws `agent.session_unknown`, `agent.session_taken`, or, if `home` cannot be used,
 * `agent.not_ready`.
 */
export function openSessionRecord(home: string, session: string, isResumed: boolean): SessionRecord {
  const file = resolveRecordFile(home, session);
  const known = readSessionRecord(file);
  if (isResumed && known === undefined)
    throw new LegionError('agent.session_unknown', `session ${session} does not exist`);
  if (!isResumed && known !== undefined)
    throw new LegionError('agent.session_taken', `session ${session} already exists`);
  const folder = join(home, session);
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
  } catch (error) {
    throw createRecordError(folder, error);
  }
  let native = known?.native;
  let exists = known !== undefined;
  let touchedAt = 0;
  return {
    folder,
    native,
    recordNative(name) {
      if (exists && native === name) return;
      writeDurablySync(file, JSON.stringify({ native: name }));
      native = name;
      exists = true;
    },
    touch() {
      const now = Date.now();
      if (!exists || now - touchedAt < TOUCH_MS) return;
      touchedAt = now;
      utimesSync(file, now / 1_000, now / 1_000);
    },
  };
}

/**
 * Returns the time at which the agent last wrote output, or `missing` if the session does not
 * exist. An unreadable record is not treated as missing.
 */
export async function readRecordTime(
  home: string,
  session: string,
): Promise<'missing' | 'unavailable' | { readonly at: number }> {
  try {
    return { at: (await stat(resolveRecordFile(home, session))).mtimeMs };
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ENOENT' ? 'missing' : 'unavailable';
  }
}

function resolveRecordFile(home: string, session: string): string {
  return join(home, `${session}.json`);
}

function readSessionRecord(file: string): z.output<typeof recordSchema> | undefined {
  try {
    return recordSchema.parse(JSON.parse(readFileSync(file, 'utf8')));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw createRecordError(file, error);
  }
}

function createRecordError(path: string, error: unknown): LegionError {
  const why = error instanceof Error ? error.message : String(error);
  return new LegionError('agent.not_ready', `${path}: ${why}`, { cause: error });
}
