/** Why an issue stands where it does, and what a person decides about it. */
import { issueActionEndpoints } from '../../protocol/endpoints/issue-actions.ts';
import { jsonRoute, type Route } from '../route.ts';

export const ISSUE_ACTION_ROUTES: readonly Route[] = [
  jsonRoute(issueActionEndpoints.explain, ({ operator }, { params }) => operator.explain(params.id)),
  jsonRoute(issueActionEndpoints.gates, ({ operator }, { params }) => operator.gates(params.id)),
  jsonRoute(issueActionEndpoints.ci, ({ operator }, { params, query }) => operator.ci(params.id, query)),
  jsonRoute(issueActionEndpoints.handoffs, ({ operator }, { params }) => operator.handoffs(params.id)),
  jsonRoute(issueActionEndpoints.writeHandoff, ({ operator }, { params, body }) =>
    operator.writeHandoff(params.id, params.phase, body),
  ),
  jsonRoute(issueActionEndpoints.approve, ({ operator }, { params, body }) =>
    operator.approve(params.id, body.by),
  ),
  jsonRoute(issueActionEndpoints.answer, ({ operator }, { params, body }) =>
    operator.answer(params.id, body),
  ),
  jsonRoute(issueActionEndpoints.pause, ({ operator }, { params, body }) =>
    operator.pause(params.id, body.by, body.why),
  ),
  jsonRoute(issueActionEndpoints.resume, ({ operator }, { params, body }) =>
    operator.resume(params.id, body.by),
  ),
  jsonRoute(issueActionEndpoints.rollback, ({ operator }, { params, body }) =>
    operator.rollback(params.id, body.by),
  ),
  jsonRoute(issueActionEndpoints.mergePullRequest, ({ operator }, { params, body }) =>
    operator.mergePullRequest({ ...params, ...body }),
  ),
];
