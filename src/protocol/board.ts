/** Issues, comments and pull requests in API requests and responses. */
import { z } from 'zod';
import { issueIdSchema } from '../core/model/ids.ts';
import { MODES } from '../core/model/mode.ts';
import { CI_STATUSES } from '../core/model/pull-request.ts';
import { OBSERVED_STATUSES, STATUSES } from '../core/model/status.ts';
import { stoppingSchema } from './board-state.ts';

const priority = z.literal([0, 1, 2, 3, 4]);
const status = z.enum(OBSERVED_STATUSES);

export const issueSchema = z.object({
  id: z.string(),
  title: z.string(),
  body: z.string(),
  status,
  /** The board's own column name. */
  column: z.string(),
  labels: z.array(z.string()),
  priority,
  createdAt: z.number(),
  blockedBy: z.array(z.string()),
  /**
   * Parts of the issue that could not be read, each with the next step. Absent if everything could
   * be read.
   */
  problems: z.array(z.string()).optional(),
  parent: z.string().optional(),
  /** The tracker's assignee, if it has one. */
  assignee: z.string().optional(),
  /**
   * The issue's author. Set only for trackers where people without write access can create issues.
   */
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
  ci: z.enum(CI_STATUSES),
  mergeable: z.enum(['mergeable', 'conflicting', 'unknown']),
  mergedSha: z.string().optional(),
});
export type PullRequestView = z.output<typeof pullRequestSchema>;

/** The pull request that reverts the issue's last merge. */
export const revertSchema = z.object({
  number: z.int(),
  /** `closed` means closed without being merged. */
  state: z.enum(['open', 'merged', 'closed']),
  /** Absent if the forge has no pages. Legion then merges the revert itself. */
  url: z.string().optional(),
});
export type RevertView = z.output<typeof revertSchema>;

/** Fields of a new issue. The tracker applies its own limits to the texts. */
export const newIssueRequest = z.strictObject({
  title: z.string(),
  body: z.string().default(''),
  status: z.enum(STATUSES).default('Triage'),
  labels: z.array(z.string()).default([]),
  priority: priority.default(0),
  blockedBy: z.array(issueIdSchema).default([]),
  /**
   * Identifies the request. Sending the same key again returns the same issue instead of creating
   * another.
   */
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

/** An edit of an issue. Either all of its changes are applied or none. */
export const editIssueRequest = issueText.extend({
  labels: labelRequest.optional(),
  blockers: blockersRequest.optional(),
  /**
   * Values that the editor read before the edit. If one of these values has changed since then, the
   * edit is refused with `issue.changed`.
   */
  expected: issueText.optional(),
});
export type EditIssueRequest = z.output<typeof editIssueRequest>;

/** An issue that a person moved or closed, with the workers that were stopped as a result. */
export const movedIssueSchema = issueSchema.extend({
  /** `stopping` is set while the worker's process has not exited yet. */
  stoppedWorkers: z.array(z.object({ mode: z.enum(MODES), stopping: stoppingSchema.optional() })).optional(),
  /** Sentences that say what the move leaves unchanged and what Legion does as a result. */
  notes: z.array(z.string()).optional(),
});
export type MovedIssue = z.output<typeof movedIssueSchema>;
