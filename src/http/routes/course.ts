/** The course of one issue: why it stands where it does, and what a person decides about it. */

import { ciSchema } from '../../protocol/ci.ts';
import { mergeAnswer, mergeRequest, rollbackAnswer, rollbackRequest } from '../../protocol/merging.ts';
import {
  answerRequest,
  approveRequest,
  explanationSchema,
  gatesSchema,
  handoffsAnswer,
  pauseRequest,
  resumeRequest,
  saidAnswer,
} from '../../protocol/operator.ts';
import { handoffSchema } from '../../protocol/verb.ts';
import { ciQuery, handoffPlace, issuePlace, pullRequestPlace } from '../places.ts';
import { type Route, route } from '../route.ts';

export const COURSE_ROUTES: readonly Route[] = [
  route({
    method: 'get',
    path: '/issues/:id/explain',
    summary:
      "why it is moving or not, what ends that (`state.until.next`), a failed worker's last output, the facts",
    params: issuePlace,
    answer: explanationSchema,
    perform: ({ operator }, { params }) => operator.explain(params.id),
  }),
  route({
    method: 'get',
    path: '/issues/:id/gates',
    summary: 'every condition of its merge, with the evidence; after the merge, as it was then',
    params: issuePlace,
    answer: gatesSchema,
    perform: ({ operator }, { params }) => operator.gates(params.id),
  }),
  route({
    method: 'get',
    path: '/issues/:id/ci',
    summary: 'each check at the head of its pull request, with the end of its log',
    params: issuePlace,
    query: ciQuery,
    answer: ciSchema,
    perform: ({ operator }, { params, query }) => operator.ci(params.id, query),
  }),
  route({
    method: 'get',
    path: '/issues/:id/handoffs',
    summary: 'what its phases left for those after them',
    params: issuePlace,
    answer: handoffsAnswer,
    perform: ({ operator }, { params }) => operator.handoffs(params.id),
  }),
  route({
    method: 'put',
    path: '/issues/:id/handoffs/:phase',
    summary: 'write the handoff of a phase',
    params: handoffPlace,
    body: handoffSchema,
    answer: saidAnswer,
    perform: ({ operator }, { params, body }) => operator.writeHandoff(params.id, params.phase, body),
  }),
  route({
    method: 'post',
    path: '/issues/:id/approve',
    summary: 'approve what it waits to have approved',
    params: issuePlace,
    body: approveRequest,
    answer: saidAnswer,
    perform: ({ operator }, { params, body }) => operator.approve(params.id, body.by),
  }),
  route({
    method: 'post',
    path: '/issues/:id/answer',
    summary: 'answer the question a worker asked',
    params: issuePlace,
    body: answerRequest,
    answer: saidAnswer,
    perform: ({ operator }, { params, body }) => operator.answer(params.id, body),
  }),
  route({
    method: 'post',
    path: '/issues/:id/pause',
    summary: 'start nothing for it until it is resumed',
    params: issuePlace,
    body: pauseRequest,
    answer: saidAnswer,
    perform: ({ operator }, { params, body }) => operator.pause(params.id, body.by, body.why),
  }),
  route({
    method: 'post',
    path: '/issues/:id/resume',
    summary: 'let it go on after a pause',
    params: issuePlace,
    body: resumeRequest,
    answer: saidAnswer,
    perform: ({ operator }, { params, body }) => operator.resume(params.id, body.by),
  }),
  route({
    method: 'post',
    path: '/issues/:id/rollback',
    summary:
      'open a pull request that reverts its merge, and reopen the issue; the base keeps the change until it is merged',
    params: issuePlace,
    body: rollbackRequest,
    answer: rollbackAnswer,
    perform: ({ operator }, { params, body }) => operator.rollback(params.id, body.by),
  }),
  route({
    method: 'post',
    path: '/pull-requests/:number/merge',
    summary: 'merge a pull request of the local forge: a revert, or one whose issue passes its gate',
    params: pullRequestPlace,
    body: mergeRequest,
    answer: mergeAnswer,
    perform: ({ operator }, { params, body }) => operator.mergePullRequest({ ...params, ...body }),
  }),
];
