/** What stands in the path and behind the question mark, where everything is text. */
import { z } from 'zod';
import { issueIdSchema, readWorkerId } from '../domain/ids.ts';
import { PHASES } from '../domain/mode.ts';
import { DEFAULT_LOG_LINES, MAX_LOG_LINES } from '../protocol/ci.ts';

/** Fifteen digits are safe as a number, and more than any offset or sequence number reaches. */
const digits = z.string().regex(/^\d{1,15}$/, 'must be a whole number');
const count = digits.transform(Number);

export const issuePlace = z.strictObject({ id: issueIdSchema });
export const pullRequestPlace = z.strictObject({
  number: count.refine((number) => number > 0, 'must be the number of a pull request'),
});
export const handoffPlace = z.strictObject({ id: issueIdSchema, phase: z.enum(PHASES) });
export const workerPlace = z.strictObject({
  id: z
    .string()
    .toLowerCase()
    .refine((text) => readWorkerId(text).ok, 'must be an issue and a mode, such as demo-1-implement'),
});

export const byQuery = z.strictObject({ by: z.string().min(1).max(100).default('operator') });
/** A switch behind the question mark. */
const flag = z.enum(['true', 'false']).default('false');
export const stopQuery = byQuery.extend({ restart: flag.transform((text) => text === 'true') });
export const shutdownQuery = byQuery.extend({ workers: z.enum(['leave', 'stop']).default('leave') });
/** Bytes before the end to begin at: more than a page shows, and found within some ten milliseconds even in one long line. */
const LAST_MOST_BYTES = 16 * 1_024 * 1_024;

export const logsQuery = z
  .strictObject({
    attempt: count.optional(),
    offset: count.optional(),
    last: count
      .refine((bytes) => bytes >= 1 && bytes <= LAST_MOST_BYTES, `must be from 1 to ${LAST_MOST_BYTES}`)
      .optional(),
    stream: z.enum(['out', 'err']).default('out'),
  })
  .refine(
    ({ offset, last }) => offset === undefined || last === undefined,
    'an offset or the last bytes, not both',
  );
export const ciQuery = z.strictObject({
  check: z.string().min(1).max(300).optional(),
  lines: count
    .refine((lines) => lines >= 1 && lines <= MAX_LOG_LINES, `must be from 1 to ${MAX_LOG_LINES}`)
    .default(DEFAULT_LOG_LINES),
});
/** Events after this number; from the present end where it is absent. */
export const eventsQuery = z.strictObject({ after: count.optional() });
export const eventNumber = count;
