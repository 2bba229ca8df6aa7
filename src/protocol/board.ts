/** Issues, comments and pull requests as they go over the wire. */
import { z } from 'zod';
import { issueIdSchema } from '../core/model/ids.ts';
import { SEEN_STATUSES, STATUSES } from '../core/model/status.ts';

const priority = z.literal([0, 1, 2, 3, 4]);
const status = z.enum(SEEN_STATUSES);

export const issueSchema = z.object({
  id: z.string(),
  title: z.string(),
  body: z.string(),
  status,
  /** The board's own name of the column. */
  column: z.string(),
  labels: z.array(z.string()),
  priority,
  createdAt: z.number(),
  blockedBy: z.array(z.string()),
  /** What could not be read of it, each with the next step; absent where everything could. */
  problems: z.array(z.string()).optional(),
  parent: z.string().optional(),
  /** Who is said to take care of it, where the tracker says so. */
  assignee: z.string().optional(),
  /** Where people write who may not all steer. */
  writtenBy: z.object({ name: z.string(), mayWrite: z.boolean() }).optional(),
});
export type IssueView = z.output<typeof issueSchema>;

export const commentSchema = z.object({
  id: z.string(),
  author: z.string(),
  by: z.enum(['legion', 'writer', 'outsider']),
  at: z.number(),
  text: z.string(),
});
export type CommentView = z.output<typeof commentSchema>;

export const pullRequestSchema = z.object({
  number: z.int(),
  state: z.enum(['open', 'merged']),
  draft: z.boolean(),
  title: z.string(),
  branch: z.string(),
  headSha: z.string(),
  review: z.enum(['approved', 'changes_requested', 'none', 'unknown']),
  ci: z.enum(['passing', 'failing', 'pending', 'none', 'unknown']),
  mergeable: z.enum(['mergeable', 'conflicting', 'unknown']),
  mergedSha: z.string().optional(),
});
export type PullRequestView = z.output<typeof pullRequestSchema>;

/** The pull request that reverts the issue's last merge. */
export const revertSchema = z.object({
  number: z.int(),
  /** `closed`: without being merged. */
  state: z.enum(['open', 'merged', 'closed']),
  /** Absent where Legion merges it. */
  url: z.string().optional(),
});
export type RevertView = z.output<typeof revertSchema>;

/** What a person may give a new issue; the tracker holds the texts to its own limits. */
export const newIssueRequest = z.strictObject({
  title: z.string(),
  body: z.string().default(''),
  status: z.enum(STATUSES).default('Triage'),
  labels: z.array(z.string()).default([]),
  priority: priority.default(0),
  blockedBy: z.array(issueIdSchema).default([]),
  /** The same key again is the same issue. */
  key: z.string().min(1).max(200).optional(),
});
export type NewIssueRequest = z.output<typeof newIssueRequest>;

export const commentRequest = z.strictObject({ text: z.string(), author: z.string().default('operator') });
export const labelRequest = z.strictObject({
  add: z.array(z.string()).default([]),
  remove: z.array(z.string()).default([]),
});
export const moveRequest = z.strictObject({ status: z.enum(STATUSES) });
export const blockersRequest = z.strictObject({
  add: z.array(issueIdSchema).default([]),
  remove: z.array(issueIdSchema).default([]),
});

const issueText = z.strictObject({
  title: z.string().optional(),
  body: z.string().optional(),
  priority: priority.optional(),
});

/** All of it is written, or nothing. */
export const editIssueRequest = issueText.extend({
  labels: labelRequest.optional(),
  blockers: blockersRequest.optional(),
  /** What the editor read: if one of these values is different now, the edit is refused with `issue.changed`. */
  expected: issueText.optional(),
});
export type EditIssueRequest = z.output<typeof editIssueRequest>;
