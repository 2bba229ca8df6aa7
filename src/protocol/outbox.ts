/** What a worker's outbox holds: messages that wait for the daemon, and the flag of a report that has arrived. */
import { z } from 'zod';
import type { Result } from '../core/model/fault.ts';
import { decodeJson } from '../domain/decode.ts';
import { VERB_NAMES } from './verb.ts';

/** In the outbox's folder: the daemon has acknowledged a report. Never there before it has. */
export const DONE_FLAG = 'done.flag';
/** Beside it: the daemon has a question of this attempt. */
export const ASKED_FLAG = 'asked.flag';

/** Bytes of JSON. Every text a verb allows fits several times; only a handoff's free `details` can exceed it. */
export const MESSAGE_MOST_BYTES = 1_024 * 1_024;

/** Digits of a time in milliseconds since 1970, so that names sort by it; enough for thirty thousand years. */
const TIME_DIGITS = 15;
const LATEST = 10 ** TIME_DIGITS - 1;
const NAME = /^(\d{15})-[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\.json$/;

export const outboxEntrySchema = z.strictObject({
  /** The same id again is the same message: it may have reached the daemon although no answer came back. */
  id: z.uuid(),
  verb: z.enum(VERB_NAMES),
  input: z.unknown(),
  /** Milliseconds since 1970. */
  at: z.number(),
  worker: z.string().min(1),
  attempt: z.int().positive(),
  token: z.string().min(1),
});
export type OutboxEntry = z.output<typeof outboxEntrySchema>;

export const doneFlagSchema = z.strictObject({
  verb: z.enum(['done', 'error']),
  at: z.number(),
  worker: z.string().min(1),
  attempt: z.int().positive(),
});
export type DoneFlag = z.output<typeof doneFlagSchema>;

/** Later than every name in `present`, whatever the clock says: sorted names are the order in which messages were kept. */
export function outboxEntryName(at: number, id: string, present: readonly string[]): string {
  const newest = Math.max(0, ...present.map((name) => Number(NAME.exec(name)?.[1] ?? 0)));
  const time = Math.min(Math.max(at, newest + 1), LATEST);
  return `${String(time).padStart(TIME_DIGITS, '0')}-${id}.json`;
}

/** Everything else in the folder is no message: a draft that was never finished, the flag. */
export function isOutboxEntryName(name: string): boolean {
  return NAME.test(name);
}

export function readOutboxEntry(text: string, name: string): Result<OutboxEntry> {
  return decodeJson(outboxEntrySchema, text, name);
}

export function readDoneFlag(text: string): Result<DoneFlag> {
  return decodeJson(doneFlagSchema, text, DONE_FLAG);
}
