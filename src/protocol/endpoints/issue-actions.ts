/** Why an issue stands where it does, and what a person decides about it. */
import { ciSchema } from '../ci.ts';
import type { EndpointGroup } from '../endpoint.ts';
import { mergeAnswer, mergeRequest, rollbackAnswer, rollbackRequest } from '../merging.ts';
import {
  answerRequest,
  approveRequest,
  explanationSchema,
  gatesSchema,
  handoffsAnswer,
  pauseRequest,
  resumeRequest,
  saidAnswer,
} from '../operator.ts';
import { ciQuery, handoffParams, issueParams, pullRequestParams } from '../params.ts';
import { handoffSchema } from '../verb.ts';

export const issueActionEndpoints = {
  explain: {
    method: 'GET',
    path: '/issues/:id/explain',
    summary:
      "why it is moving or not, what ends that (`state.until.next`), a failed worker's last output, the facts",
    params: issueParams,
    response: explanationSchema,
  },
  gates: {
    method: 'GET',
    path: '/issues/:id/gates',
    summary: 'every condition of its merge, with the evidence; after the merge, as it was then',
    params: issueParams,
    response: gatesSchema,
  },
  ci: {
    method: 'GET',
    path: '/issues/:id/ci',
    summary: 'each check at the head of its pull request, with the end of its log',
    params: issueParams,
    query: ciQuery,
    response: ciSchema,
  },
  handoffs: {
    method: 'GET',
    path: '/issues/:id/handoffs',
    summary: 'what its phases left for those after them',
    params: issueParams,
    response: handoffsAnswer,
  },
  writeHandoff: {
    method: 'PUT',
    path: '/issues/:id/handoffs/:phase',
    summary: 'write the handoff of a phase',
    params: handoffParams,
    body: handoffSchema,
    response: saidAnswer,
  },
  approve: {
    method: 'POST',
    path: '/issues/:id/approve',
    summary: 'approve what it waits to have approved',
    params: issueParams,
    body: approveRequest,
    response: saidAnswer,
  },
  answer: {
    method: 'POST',
    path: '/issues/:id/answer',
    summary: 'answer the question a worker asked',
    params: issueParams,
    body: answerRequest,
    response: saidAnswer,
  },
  pause: {
    method: 'POST',
    path: '/issues/:id/pause',
    summary: 'start nothing for it until it is resumed',
    params: issueParams,
    body: pauseRequest,
    response: saidAnswer,
  },
  resume: {
    method: 'POST',
    path: '/issues/:id/resume',
    summary: 'let it go on after a pause',
    params: issueParams,
    body: resumeRequest,
    response: saidAnswer,
  },
  rollback: {
    method: 'POST',
    path: '/issues/:id/rollback',
    summary:
      'open a pull request that reverts its merge, and reopen the issue; the base keeps the change until it is merged',
    params: issueParams,
    body: rollbackRequest,
    response: rollbackAnswer,
  },
  mergePullRequest: {
    method: 'POST',
    path: '/pull-requests/:number/merge',
    summary: 'merge a pull request of the local forge: a revert, or one whose issue passes its gate',
    params: pullRequestParams,
    body: mergeRequest,
    response: mergeAnswer,
  },
} as const satisfies EndpointGroup;
