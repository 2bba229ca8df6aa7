/** What is kept of a session between two processes that hold it: that it began, under which id of the agent's own, and when it last stirred. */
import { mkdirSync, readFileSync, utimesSync } from 'node:fs';
import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { LegionError } from '../../core/model/fault.ts';
import { writeDurablySync } from '../../lib/fs/atomic-write.ts';

/** Whoever looks at the time of the record asks about minutes; a touch for each word would be a write for each word. */
const TOUCH_MS = 1_000;

const recordSchema = z.object({ native: z.string().optional() });

export interface SessionRecord {
  /** For files of this session alone. */
  readonly folder: string;
  readonly native: string | undefined;
  /** The agent has begun, or gone on with, the session under this id. */
  began(native: string): void;
  /** Something came from the agent. */
  stirred(): void;
}

/** Throws `agent.session_unknown` and `agent.session_taken`, and `agent.not_ready` where its home cannot be used. */
export function openRecord(home: string, session: string, isResumed: boolean): SessionRecord {
  const file = recordFile(home, session);
  const known = readRecord(file);
  if (isResumed && known === undefined)
    throw new LegionError('agent.session_unknown', `there is no session ${session}`);
  if (!isResumed && known !== undefined)
    throw new LegionError('agent.session_taken', `there is a session ${session} already`);
  const folder = join(home, session);
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
  } catch (error) {
    throw unusable(folder, error);
  }
  let native = known?.native;
  let exists = known !== undefined;
  let touchedAt = 0;
  return {
    folder,
    native,
    began(name) {
      if (exists && native === name) return;
      writeDurablySync(file, JSON.stringify({ native: name }));
      native = name;
      exists = true;
    },
    stirred() {
      const now = Date.now();
      if (!exists || now - touchedAt < TOUCH_MS) return;
      touchedAt = now;
      utimesSync(file, now / 1_000, now / 1_000);
    },
  };
}

/** When the agent last wrote, or that there is no such session; what cannot be looked at is not missing. */
export async function recordTime(
  home: string,
  session: string,
): Promise<'missing' | 'unavailable' | { readonly at: number }> {
  try {
    return { at: (await stat(recordFile(home, session))).mtimeMs };
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ENOENT' ? 'missing' : 'unavailable';
  }
}

function recordFile(home: string, session: string): string {
  return join(home, `${session}.json`);
}

function readRecord(file: string): z.output<typeof recordSchema> | undefined {
  try {
    return recordSchema.parse(JSON.parse(readFileSync(file, 'utf8')));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw unusable(file, error);
  }
}

function unusable(path: string, error: unknown): LegionError {
  const why = error instanceof Error ? error.message : String(error);
  return new LegionError('agent.not_ready', `${path}: ${why}`, { cause: error });
}
