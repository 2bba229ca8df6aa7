/** Defines every route of the API, in the order of the documentation. */

import { z } from 'zod';
import { LegionError } from '../../core/model/fault.ts';
import { wholeNumber } from '../../protocol/endpoint.ts';
import { adminEndpoints } from '../../protocol/endpoints/admin.ts';
import { dashboardEndpoints } from '../../protocol/endpoints/dashboard.ts';
import { issueActionEndpoints } from '../../protocol/endpoints/issue-actions.ts';
import { issueEndpoints } from '../../protocol/endpoints/issues.ts';
import { monitoringEndpoints, stateEndpoints } from '../../protocol/endpoints/monitoring.ts';
import { reportEndpoints } from '../../protocol/endpoints/session.ts';
import { workerEndpoints } from '../../protocol/endpoints/workers.ts';
import { limitBody, readJson } from '../bodies.ts';
import {
  type ApiContext,
  checkInput,
  defineJsonRoute,
  defineRoute,
  type HttpRoute,
  sendJson,
  sendText,
} from '../route.ts';
import { streamEvents } from '../stream-events.ts';
import { SESSION_ROUTES } from './session.ts';
import { WEBHOOK_ROUTE } from './webhooks.ts';

/** Routes for the legion as a whole: health, inbox, pausing, cleanup and shutdown. */
const ADMIN_ROUTES: readonly HttpRoute[] = [
  defineJsonRoute(adminEndpoints.health, (daemon) => daemon.health()),
  defineJsonRoute(adminEndpoints.status, ({ operator }, { query }) => operator.status(query)),
  defineJsonRoute(adminEndpoints.inbox, ({ operator }) => operator.inbox()),
  defineJsonRoute(adminEndpoints.pause, ({ operator }, { body }) =>
    operator.pause(undefined, body.by, body.why),
  ),
  defineJsonRoute(adminEndpoints.halt, ({ operator }, { body }) => operator.halt(body.by, body.why)),
  defineJsonRoute(adminEndpoints.resume, ({ operator }, { body }) => operator.resume(undefined, body.by)),
  defineJsonRoute(adminEndpoints.gc, ({ operator }) => operator.gc()),
  defineJsonRoute(adminEndpoints.repositoryCommands, ({ operator }) => operator.repositoryCommands()),
  defineJsonRoute(adminEndpoints.approveCommands, ({ operator }, { body }) =>
    operator.approveCommands(body.repo, body.fingerprint, body.by),
  ),
  defineJsonRoute(adminEndpoints.baseline, ({ operator }, { body }) => operator.baseline(body)),
  defineJsonRoute(adminEndpoints.shutdown, (daemon, { query }) => {
    const shouldStop = query.workers === 'stop';
    daemon.shutdown('stop', shouldStop ? query.by : undefined);
    return {
      says: shouldStop
        ? 'The daemon stops every worker and then exits. The next daemon continues their sessions.'
        : 'The daemon is stopping. Workers keep running, and the next daemon takes them over.',
    };
  }),
  defineJsonRoute(adminEndpoints.restart, (daemon) => {
    daemon.shutdown('restart');
    return { says: 'A new daemon replaces this one. Workers keep running.' };
  }),
];

/**
 * Routes for the dashboard: the board at any moment, the time span of the journal, an issue's
 * history, attempts and diff, and the statistics.
 */
const DASHBOARD_ROUTES: readonly HttpRoute[] = [
  defineJsonRoute(dashboardEndpoints.board, ({ dashboard }, { query }) => dashboard.board(query), {
    version: ({ dashboard }, { query }) => dashboard.boardMark(query),
  }),
  defineJsonRoute(dashboardEndpoints.span, ({ dashboard }) => dashboard.span()),
  defineJsonRoute(dashboardEndpoints.story, ({ dashboard }, { params, query }) =>
    dashboard.story(params.id, query),
  ),
  defineJsonRoute(dashboardEndpoints.attempts, ({ dashboard }, { params }) => dashboard.attempts(params.id)),
  defineJsonRoute(dashboardEndpoints.diff, ({ dashboard }, { params }) => dashboard.diff(params.id)),
  defineJsonRoute(dashboardEndpoints.figures, ({ dashboard }, { query }) => dashboard.figures(query.back)),
];

const { mediaType } = monitoringEndpoints.events;

/** Streams events as they happen, starting after the last event that the reader has received. */
const EVENTS_ROUTE: HttpRoute = defineRoute(monitoringEndpoints.events, (c, { query }) => {
  const { version } = c.env.services.daemon.events;
  // The header takes precedence over the query, because a browser that reconnects sends it together
  // with the original address.
  const last = c.req.header('last-event-id');
  const after = last === undefined ? query.after : checkInput(wholeNumber, last, 'Last-Event-ID');
  if (after !== undefined && after > version) {
    throw new LegionError(
      'input.invalid',
      `after: event ${after} does not exist yet; the newest is ${version}`,
    );
  }
  // A HEAD request does not read the stream, so only the headers are sent.
  if (c.req.method === 'HEAD') return c.body(null, 200, { 'content-type': mediaType });
  return streamEvents(c, after ?? version);
});

/** Routes that explain an issue's state, and routes for a person's decisions about the issue. */
const ISSUE_ACTION_ROUTES: readonly HttpRoute[] = [
  defineJsonRoute(issueActionEndpoints.explain, ({ operator }, { params }) => operator.explain(params.id)),
  defineJsonRoute(issueActionEndpoints.gates, ({ operator }, { params }) => operator.gates(params.id)),
  defineJsonRoute(issueActionEndpoints.ci, ({ operator }, { params, query }) =>
    operator.ci(params.id, query),
  ),
  defineJsonRoute(issueActionEndpoints.handoffs, ({ operator }, { params }) => operator.handoffs(params.id)),
  defineJsonRoute(issueActionEndpoints.writeHandoff, ({ operator }, { params, body }) =>
    operator.writeHandoff(params.id, params.phase, body),
  ),
  defineJsonRoute(issueActionEndpoints.approve, ({ operator }, { params, body }) =>
    operator.approve(params.id, body),
  ),
  defineJsonRoute(issueActionEndpoints.reject, ({ operator }, { params, body }) =>
    operator.reject(params.id, body),
  ),
  defineJsonRoute(issueActionEndpoints.answer, ({ operator }, { params, body }) =>
    operator.answer(params.id, body),
  ),
  defineJsonRoute(issueActionEndpoints.pause, ({ operator }, { params, body }) =>
    operator.pause(params.id, body.by, body.why),
  ),
  defineJsonRoute(issueActionEndpoints.resume, ({ operator }, { params, body }) =>
    operator.resume(params.id, body.by),
  ),
  defineJsonRoute(issueActionEndpoints.rollback, ({ operator }, { params, body }) =>
    operator.rollback(params.id, body.by),
  ),
  defineJsonRoute(issueActionEndpoints.mergePullRequest, ({ operator }, { params, body }) =>
    operator.mergePullRequest({ ...params, ...body }),
  ),
];

/** Routes for the board: issues, comments, labels and blockers. */
const ISSUE_ROUTES: readonly HttpRoute[] = [
  defineJsonRoute(issueEndpoints.list, ({ issues }) => issues.list()),
  defineJsonRoute(issueEndpoints.add, ({ issues }, { body }) => issues.add(body)),
  defineJsonRoute(issueEndpoints.show, ({ issues }, { params }) => issues.show(params.id)),
  defineJsonRoute(issueEndpoints.edit, ({ issues }, { params, body }) => issues.edit(params.id, body)),
  defineJsonRoute(issueEndpoints.close, ({ issues }, { params }) => issues.close(params.id)),
  defineJsonRoute(issueEndpoints.comment, ({ issues }, { params, body }) =>
    issues.comment(params.id, body.author, body.text),
  ),
  defineJsonRoute(issueEndpoints.label, ({ issues }, { params, body }) => issues.label(params.id, body)),
  defineJsonRoute(issueEndpoints.move, ({ issues }, { params, body }) => issues.move(params.id, body.status)),
  defineJsonRoute(issueEndpoints.block, ({ issues }, { params, body }) => issues.block(params.id, body)),
];

const PROMETHEUS_TYPE = 'text/plain; version=0.0.4; charset=utf-8';

/** Routes for monitoring programs: Prometheus metrics, and the OpenAPI document. */
const MONITORING_ROUTES: readonly HttpRoute[] = [
  defineRoute(monitoringEndpoints.metrics, async (c) =>
    sendText(c, await c.env.services.daemon.metrics(), PROMETHEUS_TYPE),
  ),
  defineRoute(monitoringEndpoints.openapi, (c) => sendJson(c, c.env.services.describeApi())),
];

/** Routes for the state of the whole board: one shows the due steps, another runs the next step. */
const STATE_ROUTES: readonly HttpRoute[] = [
  defineJsonRoute(stateEndpoints.collect, ({ operator }, { body }) => operator.collect(body)),
  defineJsonRoute(stateEndpoints.advance, ({ operator }, { body }) => operator.advance(body)),
  defineJsonRoute(stateEndpoints.materialized, ({ operator }) => operator.materialized()),
  defineJsonRoute(stateEndpoints.collectPosted, ({ operator }, { body }) => operator.collectPosted(body)),
];

const endpoint = reportEndpoints.verb;
/** Every retry of a message sends the same id, so that the message takes effect only once. */
const messageId = z.uuid().optional();

/** Route for a worker's reports. The worker's token identifies the worker. */
const VERB_ROUTE: HttpRoute = {
  endpoint,
  handlers: [
    limitBody(),
    async (c: ApiContext) => {
      const { caller, services } = c.env;
      if (caller.is !== 'worker')
        throw new LegionError('http.forbidden', 'This route requires a worker’s token.');
      const { verb } = checkInput(endpoint.params, c.req.param(), 'path');
      const message = checkInput(messageId, c.req.header('idempotency-key'), 'Idempotency-Key');
      // The verb handler checks the body itself, because the daemon also reads bodies from an
      // outbox, and those do not pass through this server.
      return sendJson(
        c,
        await services.daemon.workerApi.handleVerb(caller.worker, verb, await readJson(c), message),
      );
    },
  ],
};

/** Routes to list, start, prompt and stop workers. */
const WORKER_ROUTES: readonly HttpRoute[] = [
  defineJsonRoute(workerEndpoints.list, ({ workers }, { query }) => workers.list(query)),
  defineJsonRoute(workerEndpoints.dispatch, ({ workers }, { body }) => workers.dispatch(body)),
  // Has to come before `/workers/:id`, because Hono takes the first route that matches.
  defineJsonRoute(workerEndpoints.prune, ({ workers }, { body }) => workers.prune(body)),
  defineJsonRoute(workerEndpoints.show, ({ workers }, { params }) => workers.get(params.id)),
  defineJsonRoute(workerEndpoints.reversion, ({ workers }, { params, body }) =>
    workers.reversion(params.id, body.version),
  ),
  defineJsonRoute(workerEndpoints.stop, ({ workers }, { params, query }) => workers.stop(params.id, query)),
  defineJsonRoute(workerEndpoints.status, ({ workers }, { params }) => workers.status(params.id)),
  defineJsonRoute(workerEndpoints.prompt, ({ workers }, { params, body }) => workers.prompt(params.id, body)),
  defineJsonRoute(workerEndpoints.environment, ({ workers }, { params }) => workers.environment(params.id)),
  defineJsonRoute(workerEndpoints.removeWorkspace, ({ workers }, { params, body }) =>
    workers.removeWorkspace(params.id, body.repo),
  ),
  defineJsonRoute(workerEndpoints.resetCrashes, ({ workers }, { params, query }) =>
    workers.resetCrashes(params.id, query.by),
  ),
  defineJsonRoute(workerEndpoints.logs, ({ workers }, { params, query }) => workers.logs(params.id, query)),
];

export const ROUTES: readonly HttpRoute[] = [
  ...ADMIN_ROUTES,
  ...ISSUE_ROUTES,
  ...ISSUE_ACTION_ROUTES,
  ...WORKER_ROUTES,
  ...STATE_ROUTES,
  ...DASHBOARD_ROUTES,
  ...SESSION_ROUTES,
  EVENTS_ROUTE,
  ...MONITORING_ROUTES,
  WEBHOOK_ROUTE,
  VERB_ROUTE,
];
