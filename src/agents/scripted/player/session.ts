/**
 * Stores one conversation on disk, one line per event, so that later turns can read what earlier
 * turns did.
 */

import { closeSync, constants, mkdirSync, openSync, readFileSync, writeSync } from 'node:fs';
import { z } from 'zod';
import { LegionError } from '../../../core/model/fault.ts';
import { MODES, PHASES } from '../../../core/model/mode.ts';
import { parseJson } from '../../../lib/json.ts';
import type { WorkerFacts } from '../scenario/scenario.ts';
import { resolveSessionFile } from '../scripted-agent.ts';

/**
 * Position in a rule at which the turn stopped to ask a person. The remaining steps are played
 * after the person has answered.
 */
export interface RuleBookmark {
  readonly rule: number;
  readonly next: number;
}

export interface ScriptedSession {
  readonly earlier: readonly WorkerFacts[];
  /** Set if the last turn ended with a question. */
  readonly bookmark: RuleBookmark | undefined;
  append(record: object): void;
  close(): void;
}

export interface ScriptedSessionOptions {
  readonly home: string;
  readonly session: string;
  readonly resume: boolean;
}

/**
 * Throws `agent.session_unknown`, `agent.session_taken`, or, if `home` cannot be used,
 * `agent.not_ready`.
 */
export function openScriptedSession(options: ScriptedSessionOptions): ScriptedSession {
  const path = resolveSessionFile(options.home, options.session);
  const descriptor = openSessionFile(path, options);
  const text = options.resume ? readFileSync(path, 'utf8') : '';
  if (text.split('\n').some((line) => isLost(parseJson(line)))) {
    closeSync(descriptor);
    throw new LegionError('agent.session_unknown', `the session ${options.session} was lost`);
  }
  // A player that was killed may have left an incomplete line. Terminates that line, so that the
  // next one is not appended to it.
  if (text !== '' && !text.endsWith('\n')) writeSync(descriptor, '\n');
  return {
    ...parseHistory(text),
    append: (record) => {
      writeSync(descriptor, `${JSON.stringify(record)}\n`);
    },
    close: () => closeSync(descriptor),
  };
}

function openSessionFile(path: string, { home, session, resume }: ScriptedSessionOptions): number {
  const flags = resume ? constants.O_APPEND : constants.O_APPEND | constants.O_CREAT | constants.O_EXCL;
  makeSessionHome(home);
  try {
    return openSync(path, constants.O_WRONLY | flags, 0o600);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (resume && code === 'ENOENT')
      throw new LegionError('agent.session_unknown', `session ${session} does not exist`);
    if (!resume && code === 'EEXIST')
      throw new LegionError('agent.session_taken', `session ${session} already exists`);
    throw createSessionFileError(path, error);
  }
}

function makeSessionHome(home: string): void {
  try {
    mkdirSync(home, { recursive: true, mode: 0o700 });
  } catch (error) {
    throw createSessionFileError(home, error);
  }
}

function createSessionFileError(path: string, error: unknown): LegionError {
  const why = error instanceof Error ? error.message : String(error);
  return new LegionError('agent.not_ready', `${path}: ${why}`, { cause: error });
}

const recordSchema = z.discriminatedUnion('type', [
  z.object({
    type: z.literal('turn'),
    issue: z.string(),
    mode: z.enum(MODES),
    phase: z.enum(PHASES),
    purpose: z.string(),
    attempt: z.int(),
  }),
  z.object({ type: z.literal('asked'), rule: z.int().nonnegative(), next: z.int().nonnegative() }),
]);

function isLost(record: unknown): boolean {
  return z.object({ type: z.literal('lost') }).safeParse(record).success;
}

function parseHistory(text: string): Pick<ScriptedSession, 'earlier' | 'bookmark'> {
  const earlier: WorkerFacts[] = [];
  let bookmark: RuleBookmark | undefined;
  for (const line of text.split('\n')) {
    const parsed = recordSchema.safeParse(parseJson(line));
    if (!parsed.success) continue; // a transcript event, or an incomplete line
    const { type, ...record } = parsed.data;
    bookmark = 'next' in record ? record : undefined;
    if ('issue' in record) earlier.push(record);
  }
  return { earlier, bookmark };
}
