/** Endpoints that explain an issue's state and record a person's decisions about it. */
import { ciQuery, ciSchema } from '../ci.ts';
import type { EndpointGroup } from '../endpoint.ts';
import { handoffParams, issueParams, pullRequestParams } from '../endpoint.ts';
import {
  actionAnswer,
  answerRequest,
  approveAnswer,
  approveRequest,
  explanationSchema,
  gatesSchema,
  handoffsAnswer,
  mergeAnswer,
  mergeRequest,
  pauseRequest,
  rejectAnswer,
  rejectRequest,
  resumeRequest,
  rollbackAnswer,
  rollbackRequest,
} from '../operator.ts';
import { handoffSchema } from '../verb.ts';

export const issueActionEndpoints = {
  explain: {
    method: 'GET',
    path: '/issues/:id/explain',
    summary:
      'why the issue is or is not moving, what ends the wait (`state.until.next`), the last output of a failed worker, and the facts',
    params: issueParams,
    response: explanationSchema,
  },
  gates: {
    method: 'GET',
    path: '/issues/:id/gates',
    summary: 'every merge condition with its evidence; after the merge, as recorded when the merge happened',
    params: issueParams,
    response: gatesSchema,
  },
  ci: {
    method: 'GET',
    path: '/issues/:id/ci',
    summary: 'each check at the head of the issue’s pull request, with the end of its log',
    params: issueParams,
    query: ciQuery,
    response: ciSchema,
  },
  handoffs: {
    method: 'GET',
    path: '/issues/:id/handoffs',
    summary: 'the handoffs of the issue’s phases',
    params: issueParams,
    response: handoffsAnswer,
  },
  writeHandoff: {
    method: 'PUT',
    path: '/issues/:id/handoffs/:phase',
    summary: 'write the handoff of a phase',
    params: handoffParams,
    body: handoffSchema,
    response: actionAnswer,
  },
  approve: {
    method: 'POST',
    path: '/issues/:id/approve',
    summary: 'give the approval that the issue is waiting for',
    params: issueParams,
    body: approveRequest,
    response: approveAnswer,
  },
  reject: {
    method: 'POST',
    path: '/issues/:id/reject',
    summary:
      'reject the specification, the plan or the merge of the issue; the worker that produced it continues with the reason',
    params: issueParams,
    body: rejectRequest,
    response: rejectAnswer,
  },
  answer: {
    method: 'POST',
    path: '/issues/:id/answer',
    summary: 'answer a worker’s question',
    params: issueParams,
    body: answerRequest,
    response: actionAnswer,
  },
  pause: {
    method: 'POST',
    path: '/issues/:id/pause',
    summary: 'pause the issue: no worker starts on it until it is resumed',
    params: issueParams,
    body: pauseRequest,
    response: actionAnswer,
  },
  resume: {
    method: 'POST',
    path: '/issues/:id/resume',
    summary: 'resume the issue after a pause',
    params: issueParams,
    body: resumeRequest,
    response: actionAnswer,
  },
  rollback: {
    method: 'POST',
    path: '/issues/:id/rollback',
    summary:
      'open a pull request that reverts the issue’s merge, and reopen the issue; the base keeps the change until the revert is merged',
    params: issueParams,
    body: rollbackRequest,
    response: rollbackAnswer,
  },
  mergePullRequest: {
    method: 'POST',
    path: '/pull-requests/:number/merge',
    summary: 'merge a pull request of the local forge: a revert, or one whose issue passes the merge gate',
    params: pullRequestParams,
    body: mergeRequest,
    response: mergeAnswer,
  },
} as const satisfies EndpointGroup;
