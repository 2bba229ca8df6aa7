/** Parameters in the path and the query of a request, where everything is text. */
import { z } from 'zod';
import { issueIdSchema, readWorkerId } from '../core/model/ids.ts';
import { PHASES } from '../domain/mode.ts';
import { DEFAULT_LOG_LINES, MAX_LOG_LINES } from './ci.ts';

/** Fifteen digits are safe as a number, and more than any offset, version or sequence number reaches. */
export const digits = z.string().regex(/^\d{1,15}$/, 'must be a whole number');
const count = digits.transform(Number);

export const issueParams = z.strictObject({ id: issueIdSchema });
export const pullRequestParams = z.strictObject({
  number: count.refine((number) => number > 0, 'must be the number of a pull request'),
});
export const handoffParams = z.strictObject({ id: issueIdSchema, phase: z.enum(PHASES) });
export const workerParams = z.strictObject({
  id: z
    .string()
    .toLowerCase()
    .refine((text) => readWorkerId(text).ok, 'must be an issue and a mode, such as demo-1-implement'),
});

export const byQuery = z.strictObject({ by: z.string().min(1).max(100).default('operator') });
const flag = z.enum(['true', 'false']).default('false');
export const stopQuery = byQuery.extend({ restart: flag.transform((text) => text === 'true') });
export const shutdownQuery = byQuery.extend({ workers: z.enum(['leave', 'stop']).default('leave') });
/** Bytes before the end to begin at: more than a page shows, found within some 10 ms even in one long line. */
const MAX_LAST_BYTES = 16 * 1_024 * 1_024;

export const logsQuery = z
  .strictObject({
    /** The present one where it is absent. */
    attempt: count.optional(),
    /** From this byte on; from the first where neither is given. */
    offset: count.optional(),
    /** In place of an offset: from the first line that begins within so many bytes before the end. */
    last: count
      .refine((bytes) => bytes >= 1 && bytes <= MAX_LAST_BYTES, `must be from 1 to ${MAX_LAST_BYTES}`)
      .optional(),
    stream: z.enum(['out', 'err']).default('out'),
  })
  .refine(
    ({ offset, last }) => offset === undefined || last === undefined,
    'an offset or the last bytes, not both',
  );
export type LogsQuery = z.output<typeof logsQuery>;
export const ciQuery = z.strictObject({
  /** Only checks of this name. */
  check: z.string().min(1).max(300).optional(),
  /** Of each log. */
  lines: count
    .refine((lines) => lines >= 1 && lines <= MAX_LOG_LINES, `must be from 1 to ${MAX_LOG_LINES}`)
    .default(DEFAULT_LOG_LINES),
});
export type CiQuery = z.output<typeof ciQuery>;
/** Events after this number; from the present end where it is absent. */
export const eventsQuery = z.strictObject({ after: count.optional() });
export const eventNumber = count;
