/** What the dashboard shows: the board of any moment, the journal's span, an issue's history, attempts and diff, the figures. */
import { dashboardEndpoints } from '../../protocol/endpoints/dashboard.ts';
import { jsonRoute, type Route } from '../route.ts';

export const DASHBOARD_ROUTES: readonly Route[] = [
  jsonRoute(dashboardEndpoints.board, ({ dashboard }, { query }) => dashboard.board(query), {
    version: ({ dashboard }, { query }) => dashboard.boardMark(query),
  }),
  jsonRoute(dashboardEndpoints.span, ({ dashboard }) => dashboard.span()),
  jsonRoute(dashboardEndpoints.story, ({ dashboard }, { params, query }) =>
    dashboard.story(params.id, query),
  ),
  jsonRoute(dashboardEndpoints.attempts, ({ dashboard }, { params }) => dashboard.attempts(params.id)),
  jsonRoute(dashboardEndpoints.diff, ({ dashboard }, { params }) => dashboard.diff(params.id)),
  jsonRoute(dashboardEndpoints.figures, ({ dashboard }, { query }) => dashboard.figures(query.back)),
];
