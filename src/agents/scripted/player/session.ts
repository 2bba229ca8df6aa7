/** One conversation on disk: what happened in it, a line each, so that a later turn knows of the earlier ones. */

import { closeSync, constants, mkdirSync, openSync, readFileSync, writeSync } from 'node:fs';
import { z } from 'zod';
import { LegionError } from '../../../core/model/fault.ts';
import { MODES, PHASES } from '../../../domain/mode.ts';
import { parseJson } from '../../../lib/json.ts';
import type { Facts } from '../facts.ts';
import { sessionFile } from '../session-file.ts';

/** Where a rule stopped to ask a person, with steps left for when the answer is there. */
export interface Bookmark {
  readonly rule: number;
  readonly next: number;
}

export interface Session {
  readonly earlier: readonly Facts[];
  /** Of the last turn, if it ended with a question. */
  readonly bookmark: Bookmark | undefined;
  append(record: object): void;
  close(): void;
}

export interface SessionOrder {
  readonly home: string;
  readonly session: string;
  readonly resume: boolean;
}

/** Throws `agent.session_unknown`, `agent.session_taken`, or `agent.not_ready` where its home cannot be used. */
export function openSession(order: SessionOrder): Session {
  const path = sessionFile(order.home, order.session);
  const descriptor = open(path, order);
  const text = order.resume ? readFileSync(path, 'utf8') : '';
  if (text.split('\n').some((line) => isLost(parseJson(line)))) {
    closeSync(descriptor);
    throw new LegionError('agent.session_unknown', `the session ${order.session} was lost`);
  }
  // A killed player may have left half a line: what comes next must not become a part of it.
  if (text !== '' && !text.endsWith('\n')) writeSync(descriptor, '\n');
  return {
    ...past(text),
    append: (record) => {
      writeSync(descriptor, `${JSON.stringify(record)}\n`);
    },
    close: () => closeSync(descriptor),
  };
}

function open(path: string, { home, session, resume }: SessionOrder): number {
  const how = resume ? constants.O_APPEND : constants.O_APPEND | constants.O_CREAT | constants.O_EXCL;
  makeHome(home);
  try {
    return openSync(path, constants.O_WRONLY | how, 0o600);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (resume && code === 'ENOENT')
      throw new LegionError('agent.session_unknown', `there is no session ${session}`);
    if (!resume && code === 'EEXIST')
      throw new LegionError('agent.session_taken', `there is a session ${session} already`);
    throw unusable(path, error);
  }
}

function makeHome(home: string): void {
  try {
    mkdirSync(home, { recursive: true, mode: 0o700 });
  } catch (error) {
    throw unusable(home, error);
  }
}

function unusable(path: string, error: unknown): LegionError {
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

function past(text: string): Pick<Session, 'earlier' | 'bookmark'> {
  const earlier: Facts[] = [];
  let bookmark: Bookmark | undefined;
  for (const line of text.split('\n')) {
    const read = recordSchema.safeParse(parseJson(line));
    if (!read.success) continue; // an event of the transcript, or half a line
    const { type, ...record } = read.data;
    bookmark = 'next' in record ? record : undefined;
    if ('issue' in record) earlier.push(record);
  }
  return { earlier, bookmark };
}
