/** What CI says about an issue: each check at the head of its pull request, with the end of its log. */
import { z } from 'zod';
import { pullRequestSchema } from './board.ts';
import { faultSchema } from './error-answer.ts';

/** Of each log. A screen holds the default; the most is more than a forge keeps of an ordinary log. */
export const DEFAULT_LOG_LINES = 20;
export const MAX_LOG_LINES = 500;

export const checkSchema = z.object({
  name: z.string(),
  status: z.enum(['passing', 'failing', 'pending', 'could_not_run']),
  summary: z.string().optional(),
  url: z.string().optional(),
  /** The last lines of its log. */
  log: z.string().optional(),
  /** Why there is no log. */
  missing: z.string().optional(),
});
export type CheckView = z.output<typeof checkSchema>;

/** The last lines of the failing check, where CI is red at the head of an issue's pull request. */
export const failingLogSchema = z.object({ check: z.string(), sha: z.string(), log: z.string() });
export type FailingLog = z.output<typeof failingLogSchema>;

export const ciSchema = z.object({
  issue: z.string(),
  /** Null where there is no pull request yet. */
  number: z.int().nullable(),
  sha: z.string().nullable(),
  status: pullRequestSchema.shape.ci,
  says: z.string(),
  /** What to do about it, where anything is to be done. */
  next: z.string().optional(),
  checks: z.array(checkSchema),
  /** Of the repository: a base branch whose own commands fail, commands that nobody has approved. */
  problems: z.array(faultSchema),
});
export type CiView = z.output<typeof ciSchema>;
