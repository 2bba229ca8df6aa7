/** What is kept about one pull request. Commits are not: git is the truth about those. */
import { z } from 'zod';
import { issueIdSchema } from '../../core/model/ids.ts';
import { SHA } from '../sha.ts';

const sha = z.string().regex(SHA, 'is no commit');
const number = z.int().positive();
const at = z.number();

const checked = { headSha: sha, baseSha: sha };

export const recordSchema = z.strictObject({
  format: z.literal(1),
  number,
  branch: z.string().min(1),
  issue: issueIdSchema,
  author: z.string().min(1),
  title: z.string().min(1),
  body: z.string(),
  draft: z.boolean(),
  openedAt: at,
  labels: z.array(z.string()),
  reviews: z.array(
    z.strictObject({
      reviewer: z.string().min(1),
      verdict: z.enum(['approved', 'changes_requested']),
      sha,
      text: z.string(),
      at,
    }),
  ),
  comments: z.array(z.strictObject({ key: z.string().min(1), text: z.string(), at })),
  /** The pull request this one undoes. */
  reverts: number.optional(),
  /**
   * `open` → `merged` or `closed`, which are final. Commits that were about to become the base are written down before
   * the base is moved: after a crash the one that the base contains tells that this pull request is merged.
   */
  state: z.enum(['open', 'closed', 'merged']),
  attempts: z.array(z.strictObject({ commit: sha, ...checked })),
  merged: z.strictObject({ commit: sha, ...checked, at }).optional(),
});

export type PullRequestRecord = z.infer<typeof recordSchema>;
export type MergeAttempt = PullRequestRecord['attempts'][number];
