/** What an operator asks about merges: to revert one, and to merge a pull request by hand. */
import { z } from 'zod';
import { by, saidAnswer } from './operator.ts';

export const rollbackRequest = z.strictObject({ by });

export const rollbackAnswer = saidAnswer.extend({
  /** The pull request that reverts the merge, and its branch. */
  pullRequest: z.int(),
  branch: z.string(),
  /** The branch that contains the change until the revert is merged. */
  base: z.string(),
  /** `closed`: without being merged. `unknown`: the forge could not be read. */
  state: z.enum(['open', 'merged', 'closed', 'unknown']),
  /** Where people see and merge it, on a forge that has pages. */
  url: z.string().optional(),
});
export type RollbackAnswer = z.output<typeof rollbackAnswer>;

export const mergeRequest = z.strictObject({
  by,
  /** Merges a revert although its CI is not green; the journal keeps that. */
  force: z.boolean().default(false),
  /** Needed where several repositories have a pull request of this number. */
  repo: z.string().min(1).optional(),
});

/** The pull request is named in the path. */
export type MergeRequest = z.output<typeof mergeRequest> & { readonly number: number };

export const mergeAnswer = saidAnswer.extend({
  pullRequest: z.int(),
  issue: z.string(),
  /** The branch it was merged into, and the commit it became there. */
  base: z.string(),
  mergedSha: z.string(),
  /** The pull request whose merge it reverts. */
  reverts: z.int().optional(),
  forced: z.boolean(),
});
export type MergeAnswer = z.output<typeof mergeAnswer>;
