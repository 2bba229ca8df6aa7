/** The daemon's API as a Hono application: it finds the route, checks the caller and gives every error its form. */
import { Hono } from 'hono';
import { compress } from 'hono/compress';
import { methodNotAllowed } from 'hono/method-not-allowed';
import { LegionError, shown } from '../core/model/fault.ts';
import type { CallerKind } from '../protocol/endpoint.ts';
import type { Caller } from './caller.ts';
import { refuseMethod, toLegionError, toRefusalResponse } from './refusal.ts';
import type { ApiEnv, Route } from './route.ts';
import { setSafeHeaders } from './safe-headers.ts';

/** Smaller responses are sent faster than they are compressed on this machine. */
const COMPRESSED_FROM_BYTES = 16 * 1_024;

export type Api = Hono<ApiEnv>;

export function createApi(routes: readonly Route[], report: (error: unknown) => void): Api {
  const app: Api = new Hono();
  app.use(setSafeHeaders);
  app.use(compress({ threshold: COMPRESSED_FROM_BYTES }));
  app.use(methodNotAllowed({ app, onMethodNotAllowed: refuseMethod }));
  for (const { endpoint, handlers } of routes) {
    app.on(endpoint.method, endpoint.path, async (c, next) => {
      requireCaller(c.env.caller, endpoint.callers);
      await next();
    });
    for (const handler of handlers) app.on(endpoint.method, endpoint.path, handler);
  }
  app.notFound((c) => {
    requireCaller(c.env.caller);
    const message = `there is no route ${c.req.method} ${shown(c.req.path)}`;
    return toRefusalResponse(new LegionError('http.route_unknown', message));
  });
  app.onError((error, c) => {
    // Hono would copy the headers of a response that was begun, such as its ETag.
    c.res = undefined;
    return toRefusalResponse(toLegionError(error, report));
  });
  return app;
}

export interface LiveRoute {
  readonly method: string;
  /** With named parameters, as in `/workers/:id`. */
  readonly path: string;
}

/** Leaves out the middleware of all routes. */
export function listRoutes({ routes }: Api): readonly LiveRoute[] {
  const live = routes.filter(({ method }) => method !== 'ALL');
  return [...new Map(live.map(({ method, path }) => [`${method} ${path}`, { method, path }])).values()];
}

const OPERATOR: readonly CallerKind[] = ['token', 'session'];

/**
 * Decides who may use an endpoint: each names its kinds of callers, and everybody else is refused.
 * Unknown paths are the operator's as well: nobody else learns which endpoints exist.
 */
function requireCaller(caller: Caller, allowed: readonly CallerKind[] = OPERATOR): void {
  const kind = toCallerKind(caller);
  if (!allowed.includes(kind)) throw new LegionError('http.forbidden', REFUSALS[kind]);
}

function toCallerKind(caller: Caller): CallerKind {
  if (caller.is === 'operator') return caller.session === undefined ? 'token' : 'session';
  return caller.is;
}

const REFUSALS: Readonly<Record<CallerKind, string>> = {
  token: 'the operator’s token speaks neither for a worker nor for a browser',
  // A session that could make codes could make itself a successor, and would never end.
  session: 'a session of a browser may not do this; codes are given out for the operator’s token only',
  visitor: 'a page without a session reaches POST /session only',
  worker: 'a worker’s token reaches POST /worker/VERB only',
  service: 'a service reaches its own webhook only',
};
