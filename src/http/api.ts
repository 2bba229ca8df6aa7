/**
 * Builds the daemon's API as a Hono application: finds the route, checks the caller and formats
 * every error.
 */
import { Hono } from 'hono';
import { compress } from 'hono/compress';
import { methodNotAllowed } from 'hono/method-not-allowed';
import { LegionError, quoteText } from '../core/model/fault.ts';
import type { CallerKind } from '../protocol/endpoint.ts';
import type { Caller } from './caller.ts';
import { refuseMethod, setSafeHeaders, toLegionError, toRefusalResponse } from './refusal.ts';
import type { ApiEnv, HttpRoute } from './route.ts';

/**
 * Responses smaller than this are sent uncompressed, because on a local connection compressing them
 * takes longer than it saves.
 */
const MIN_COMPRESSED_BYTES = 16 * 1_024;

export type HttpApi = Hono<ApiEnv>;

export function createApi(routes: readonly HttpRoute[], report: (error: unknown) => void): HttpApi {
  const app: HttpApi = new Hono();
  app.use(setSafeHeaders);
  app.use(compress({ threshold: MIN_COMPRESSED_BYTES }));
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
    const message = `Unknown route: ${c.req.method} ${quoteText(c.req.path)}.`;
    return toRefusalResponse(new LegionError('http.route_unknown', message));
  });
  app.onError((error, c) => {
    // Discards a response that was already started, because Hono would otherwise copy its headers,
    // such as the ETag, to the error response.
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

/** Lists the routes without the middleware that applies to all of them. */
export function listRoutes({ routes }: HttpApi): readonly LiveRoute[] {
  const live = routes.filter(({ method }) => method !== 'ALL');
  return [...new Map(live.map(({ method, path }) => [`${method} ${path}`, { method, path }])).values()];
}

const OPERATOR_CALLERS: readonly CallerKind[] = ['token', 'session'];

/**
 * Refuses every kind of caller that the endpoint does not list. An unknown path is refused like an
 * operator endpoint, so that other callers cannot find out which endpoints exist.
 */
function requireCaller(caller: Caller, allowed: readonly CallerKind[] = OPERATOR_CALLERS): void {
  const kind = toCallerKind(caller);
  if (!allowed.includes(kind)) throw new LegionError('http.forbidden', CALLER_REFUSALS[kind]);
}

function toCallerKind(caller: Caller): CallerKind {
  if (caller.is === 'operator') return caller.session === undefined ? 'token' : 'session';
  return caller.is;
}

const CALLER_REFUSALS: Readonly<Record<CallerKind, string>> = {
  token: 'This route is for workers, browsers or services, not for the operator’s token.',
  // If a session could create login codes, it could log itself in again and so never expire.
  session: 'A browser session cannot use this route. Login codes require the operator’s token.',
  visitor: 'A page without a session can only use POST /session.',
  worker: 'A worker’s token can only be used for POST /worker/VERB.',
  service: 'A service can only use its own webhook.',
};
