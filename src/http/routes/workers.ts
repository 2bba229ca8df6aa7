/** Workers: looking at them, starting, prompting and stopping them. */
import { workerEndpoints } from '../../protocol/endpoints/workers.ts';
import { jsonRoute, type Route } from '../route.ts';

export const WORKER_ROUTES: readonly Route[] = [
  jsonRoute(workerEndpoints.list, ({ workers }) => workers.list()),
  jsonRoute(workerEndpoints.dispatch, ({ workers }, { body }) => workers.dispatch(body)),
  // Before `/workers/:id`: Hono takes the first route that matches.
  jsonRoute(workerEndpoints.prune, ({ workers }) => workers.prune()),
  jsonRoute(workerEndpoints.show, ({ workers }, { params }) => workers.get(params.id)),
  jsonRoute(workerEndpoints.reversion, ({ workers }, { params, body }) =>
    workers.reversion(params.id, body.version),
  ),
  jsonRoute(workerEndpoints.stop, ({ workers }, { params, query }) => workers.stop(params.id, query)),
  jsonRoute(workerEndpoints.status, ({ workers }, { params }) => workers.status(params.id)),
  jsonRoute(workerEndpoints.prompt, ({ workers }, { params, body }) => workers.prompt(params.id, body)),
  jsonRoute(workerEndpoints.environment, ({ workers }, { params }) => workers.environment(params.id)),
  jsonRoute(workerEndpoints.removeWorkspace, ({ workers }, { params }) => workers.removeWorkspace(params.id)),
  jsonRoute(workerEndpoints.resetCrashes, ({ workers }, { params, query }) =>
    workers.resetCrashes(params.id, query.by),
  ),
  jsonRoute(workerEndpoints.logs, ({ workers }, { params, query }) => workers.logs(params.id, query)),
];
