/** Endpoints for the board: issues, comments, labels and blockers. */
import { z } from 'zod';
import {
  blockersRequest,
  commentRequest,
  commentSchema,
  editIssueRequest,
  issueSchema,
  labelRequest,
  movedIssueSchema,
  moveRequest,
  newIssueRequest,
  pullRequestSchema,
  revertSchema,
} from '../board.ts';
import type { EndpointGroup } from '../endpoint.ts';
import { issueParams } from '../endpoint.ts';
import { actionAnswer } from '../operator.ts';
import { handoffSchema } from '../verb.ts';
import { workerSchema } from '../workers.ts';

const issueDetailSchema = z.object({
  issue: issueSchema,
  comments: z.array(commentSchema).readonly(),
  pullRequest: pullRequestSchema.nullable(),
  revert: revertSchema.optional(),
  /** The architect's handoff to the next phases. */
  specification: handoffSchema
    .extend({
      testSuiteResults: z.record(z.string(), z.unknown()).optional(),
      details: z.unknown().optional(),
    })
    .optional(),
  workers: z.array(workerSchema).readonly(),
});
export type IssueDetail = z.output<typeof issueDetailSchema>;

export const issueEndpoints = {
  list: {
    method: 'GET',
    path: '/issues',
    summary: 'every issue on the board',
    response: z.array(issueSchema).readonly(),
  },
  add: {
    method: 'POST',
    path: '/issues',
    summary: 'add an issue; a repeated `key` returns the same issue',
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
      'change title, body, priority, labels and blockers, all or nothing; with `expected`, a later edit is not overwritten',
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
    response: actionAnswer,
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
    summary: 'move the issue to another status',
    params: issueParams,
    body: moveRequest,
    response: movedIssueSchema,
  },
  block: {
    method: 'POST',
    path: '/issues/:id/blockers',
    summary: 'add and remove blockers of the issue',
    params: issueParams,
    body: blockersRequest,
    response: issueSchema,
  },
} as const satisfies EndpointGroup;
