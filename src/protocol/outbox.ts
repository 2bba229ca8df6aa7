/**
 * The contents of a worker's outbox: messages that are waiting for the daemon, and the flag of an
 * acknowledged report.
 */
import { z } from 'zod';
import { decodeJson } from '../core/model/decode.ts';
import type { Result } from '../core/model/fault.ts';
import { VERB_NAMES } from './verb.ts';

/** File in the outbox directory. It exists only after the daemon has acknowledged a report. */
export const DONE_FLAG = 'done.flag';
/**
 * File next to the done flag. It exists only after the daemon has received a question from this
 * attempt.
 */
export const QUESTION_FLAG = 'asked.flag';

/**
 * Maximum size of one message as JSON, in bytes. It is several times the longest text that a verb
 * accepts. Only a handoff's free-form `details` can exceed it.
 */
export const MAX_MESSAGE_BYTES = 1_024 * 1_024;

/**
 * Number of digits in a time in milliseconds since 1970. Times are padded to this length, so that
 * file names sort by time. Enough for thirty thousand years.
 */
const TIME_DIGITS = 15;
const MAX_TIME = 10 ** TIME_DIGITS - 1;
const OUTBOX_ENTRY_NAME = /^(\d{15})-[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\.json$/;

export const outboxEntrySchema = z.strictObject({
  /**
   * Identifies the message, so that the daemon recognises a repeat. A message is repeated if no
   * response arrived, although the daemon may have received it.
   */
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

/**
 * Returns a name that sorts after every name in `present`, even if the clock was set back. Sorting
 * by name therefore keeps the messages in order.
 */
export function createOutboxEntryName(at: number, id: string, present: readonly string[]): string {
  const newest = Math.max(0, ...present.map((name) => Number(OUTBOX_ENTRY_NAME.exec(name)?.[1] ?? 0)));
  const time = Math.min(Math.max(at, newest + 1), MAX_TIME);
  return `${String(time).padStart(TIME_DIGITS, '0')}-${id}.json`;
}

/** Returns false for other files in the directory, such as an unfinished draft or the flag. */
export function isOutboxEntryName(name: string): boolean {
  return OUTBOX_ENTRY_NAME.test(name);
}

export function parseOutboxEntry(text: string, name: string): Result<OutboxEntry> {
  return decodeJson(outboxEntrySchema, text, name);
}

export function parseDoneFlag(text: string): Result<DoneFlag> {
  return decodeJson(doneFlagSchema, text, DONE_FLAG);
}
