/** The board: issues, comments, labels and blockers. */
import { issueEndpoints } from '../../protocol/endpoints/issues.ts';
import { jsonRoute, type Route } from '../route.ts';

export const ISSUE_ROUTES: readonly Route[] = [
  jsonRoute(issueEndpoints.list, ({ issues }) => issues.list()),
  jsonRoute(issueEndpoints.add, ({ issues }, { body }) => issues.add(body)),
  jsonRoute(issueEndpoints.show, ({ issues }, { params }) => issues.show(params.id)),
  jsonRoute(issueEndpoints.edit, ({ issues }, { params, body }) => issues.edit(params.id, body)),
  jsonRoute(issueEndpoints.close, ({ issues }, { params }) => issues.close(params.id)),
  jsonRoute(issueEndpoints.comment, ({ issues }, { params, body }) =>
    issues.comment(params.id, body.author, body.text),
  ),
  jsonRoute(issueEndpoints.label, ({ issues }, { params, body }) => issues.label(params.id, body)),
  jsonRoute(issueEndpoints.move, ({ issues }, { params, body }) => issues.move(params.id, body.status)),
  jsonRoute(issueEndpoints.block, ({ issues }, { params, body }) => issues.block(params.id, body)),
];
