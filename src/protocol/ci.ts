/**
 * The CI state of an issue: each check at the head of its pull request, with the end of its log.
 */
import { z } from 'zod';
import { pullRequestSchema } from './board.ts';
import { faultSchema, wholeNumber } from './endpoint.ts';

/**
 * Number of log lines to return. The default fits on a screen. The maximum is more than a forge
 * keeps of an ordinary log.
 */
export const DEFAULT_LOG_LINES = 20;
export const MAX_LOG_LINES = 500;

export const checkSchema = z.object({
  name: z.string(),
  status: z.enum(['passing', 'failing', 'pending', 'could_not_run']),
  summary: z.string().optional(),
  url: z.string().optional(),
  /** The last lines of the check's log. */
  log: z.string().optional(),
  /** Why there is no log. */
  missing: z.string().optional(),
});
export type CheckView = z.output<typeof checkSchema>;

/**
 * The last log lines of the failing check. Set if CI is red at the head of an issue's pull request.
 */
export const failingLogSchema = z.object({ check: z.string(), sha: z.string(), log: z.string() });
export type FailingLog = z.output<typeof failingLogSchema>;

export const ciSchema = z.object({
  issue: z.string(),
  /** Number of the pull request. Null if there is none yet. */
  number: z.int().nullable(),
  sha: z.string().nullable(),
  status: pullRequestSchema.shape.ci,
  says: z.string(),
  /** The next step, if any. */
  next: z.string().optional(),
  checks: z.array(checkSchema),
  /**
   * Problems with the repository, such as a base branch whose own commands fail, or unapproved
   * commands.
   */
  problems: z.array(faultSchema),
});
export type CiView = z.output<typeof ciSchema>;

export const ciQuery = z.strictObject({
  /** Only checks with this name. */
  check: z.string().min(1).max(300).optional(),
  /** Lines per log. */
  lines: wholeNumber
    .refine((lines) => lines >= 1 && lines <= MAX_LOG_LINES, `must be from 1 to ${MAX_LOG_LINES}`)
    .default(DEFAULT_LOG_LINES),
});
export type CiQuery = z.output<typeof ciQuery>;
