/** The board: issues, comments, labels and blockers. */
import { z } from 'zod';
import {
  blockersRequest,
  commentRequest,
  commentSchema,
  editIssueRequest,
  issueSchema,
  labelRequest,
  moveRequest,
  newIssueRequest,
  pullRequestSchema,
  revertSchema,
} from '../board.ts';
import type { EndpointGroup } from '../endpoint.ts';
import { saidAnswer, workerSchema } from '../operator.ts';
import { issueParams } from '../params.ts';
import { movedIssueSchema } from '../stopping.ts';
import { handoffSchema } from '../verb.ts';

const issueDetailSchema = z.object({
  issue: issueSchema,
  comments: z.array(commentSchema).readonly(),
  pullRequest: pullRequestSchema.nullable(),
  revert: revertSchema.optional(),
  /** What the architect has left for the next phases. */
  specification: handoffSchema.extend({ details: z.unknown().optional() }).optional(),
  workers: z.array(workerSchema).readonly(),
});
export type IssueDetail = z.output<typeof issueDetailSchema>;

export const issueEndpoints = {
  list: {
    method: 'GET',
    path: '/issues',
    summary: 'every issue of the board',
    response: z.array(issueSchema).readonly(),
  },
  add: {
    method: 'POST',
    path: '/issues',
    summary: 'add an issue; the same `key` again is the same issue',
    body: newIssueRequest,
    response: issueSchema,
    status: 201,
  },
  show: {
    method: 'GET',
    path: '/issues/:id',
    summary: 'one issue with its comments, pull request and workers',
    params: issueParams,
    response: issueDetailSchema,
  },
  edit: {
    method: 'PATCH',
    path: '/issues/:id',
    summary:
      'change title, body, priority, labels and blockers, all or nothing; `expected` refuses to overwrite a later edit',
    params: issueParams,
    body: editIssueRequest,
    response: issueSchema,
  },
  close: {
    method: 'DELETE',
    path: '/issues/:id',
    summary: 'close the issue',
    params: issueParams,
    response: movedIssueSchema,
  },
  comment: {
    method: 'POST',
    path: '/issues/:id/comments',
    summary: 'comment on the issue',
    params: issueParams,
    body: commentRequest,
    response: saidAnswer,
  },
  label: {
    method: 'POST',
    path: '/issues/:id/labels',
    summary: 'add and remove labels',
    params: issueParams,
    body: labelRequest,
    response: issueSchema,
  },
  move: {
    method: 'POST',
    path: '/issues/:id/move',
    summary: 'move it to another status',
    params: issueParams,
    body: moveRequest,
    response: movedIssueSchema,
  },
  block: {
    method: 'POST',
    path: '/issues/:id/blockers',
    summary: 'add and remove issues it waits for',
    params: issueParams,
    body: blockersRequest,
    response: issueSchema,
  },
} as const satisfies EndpointGroup;
