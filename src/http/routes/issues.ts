/** The board: issues, comments, labels and blockers. */
import { z } from 'zod';
import {
  blockersRequest,
  commentRequest,
  editIssueRequest,
  issueSchema,
  labelRequest,
  moveRequest,
  newIssueRequest,
} from '../../protocol/board.ts';
import { issueDetailSchema, saidAnswer } from '../../protocol/operator.ts';
import { issuePlace } from '../places.ts';
import { type Route, route } from '../route.ts';

export const ISSUE_ROUTES: readonly Route[] = [
  route({
    method: 'get',
    path: '/issues',
    summary: 'every issue of the board',
    answer: z.array(issueSchema).readonly(),
    perform: ({ issues }) => issues.list(),
  }),
  route({
    method: 'post',
    path: '/issues',
    summary: 'add an issue; the same `key` again is the same issue',
    body: newIssueRequest,
    answer: issueSchema,
    status: 201,
    perform: ({ issues }, { body }) => issues.add(body),
  }),
  route({
    method: 'get',
    path: '/issues/:id',
    summary: 'one issue with its comments, pull request and workers',
    params: issuePlace,
    answer: issueDetailSchema,
    perform: ({ issues }, { params }) => issues.show(params.id),
  }),
  route({
    method: 'patch',
    path: '/issues/:id',
    summary:
      'change title, body, priority, labels and blockers, all or nothing; `expected` refuses to overwrite a later edit',
    params: issuePlace,
    body: editIssueRequest,
    answer: issueSchema,
    perform: ({ issues }, { params, body }) => issues.edit(params.id, body),
  }),
  route({
    method: 'delete',
    path: '/issues/:id',
    summary: 'close the issue',
    params: issuePlace,
    answer: issueSchema,
    perform: ({ issues }, { params }) => issues.close(params.id),
  }),
  route({
    method: 'post',
    path: '/issues/:id/comments',
    summary: 'comment on the issue',
    params: issuePlace,
    body: commentRequest,
    answer: saidAnswer,
    perform: ({ issues }, { params, body }) => issues.comment(params.id, body.author, body.text),
  }),
  route({
    method: 'post',
    path: '/issues/:id/labels',
    summary: 'add and remove labels',
    params: issuePlace,
    body: labelRequest,
    answer: issueSchema,
    perform: ({ issues }, { params, body }) => issues.label(params.id, body),
  }),
  route({
    method: 'post',
    path: '/issues/:id/move',
    summary: 'move it to another status',
    params: issuePlace,
    body: moveRequest,
    answer: issueSchema,
    perform: ({ issues }, { params, body }) => issues.move(params.id, body.status),
  }),
  route({
    method: 'post',
    path: '/issues/:id/blockers',
    summary: 'add and remove issues it waits for',
    params: issuePlace,
    body: blockersRequest,
    answer: issueSchema,
    perform: ({ issues }, { params, body }) => issues.block(params.id, body),
  }),
];
