/** A route: an endpoint together with the handlers that serve it. */

import type { HttpBindings } from '@hono/node-server';
import type { Context, Handler } from 'hono';
import { etag } from 'hono/etag';
import { z } from 'zod';
import type { Daemon } from '../daemon/daemon.ts';
import type { Clock } from '../domain/clock.ts';
import { decode } from '../domain/decode.ts';
import { unwrap } from '../lib/result.ts';
import type { CheckedRequest, Endpoint, EndpointResult } from '../protocol/endpoint.ts';
import type { Caller } from './caller.ts';
import type { Streams } from './events/streams.ts';
import type { InflightBodies } from './inflight-bodies.ts';
import { limitBody, readJson } from './read-json.ts';
import type { Sessions } from './sessions/sessions.ts';

/** What handlers may use. */
export interface HttpServices {
  readonly daemon: Daemon;
  readonly clock: Clock;
  readonly streams: Streams;
  readonly inflight: InflightBodies;
  readonly sessions: Sessions;
  /** Takes defects, about which clients learn nothing. */
  readonly report: (error: unknown) => void;
  /** All endpoints in OpenAPI's terms. */
  readonly describeApi: () => unknown;
}

export interface ApiEnv {
  readonly Bindings: HttpBindings & {
    /** Who sent the request, as the guards before Hono have established. */
    readonly caller: Caller;
    readonly services: HttpServices;
  };
}
export type ApiContext = Context<ApiEnv>;

export interface Route {
  readonly endpoint: Endpoint;
  readonly handlers: readonly Handler<ApiEnv>[];
}

/** Refuses every key that the endpoint does not declare: a misspelt one would otherwise be ignored. */
export function route<E extends Endpoint>(
  endpoint: E,
  respond: (c: ApiContext, request: CheckedRequest<E>) => Response | Promise<Response>,
): Route {
  const handler = async (c: ApiContext) => respond(c, await checkRequest(c, endpoint));
  const takesBody = endpoint.method !== 'GET';
  return { endpoint, handlers: takesBody ? [limitBody(endpoint.maxBodyBytes), handler] : [handler] };
}

interface JsonOptions<E extends Endpoint> {
  /** Names the response: a client that has this version already gets 304, and the response is not made. */
  readonly version?: (daemon: Daemon, request: CheckedRequest<E>) => string;
}

export function jsonRoute<E extends Endpoint>(
  endpoint: E,
  perform: (daemon: Daemon, request: CheckedRequest<E>) => EndpointResult<E> | Promise<EndpointResult<E>>,
  { version }: JsonOptions<E> = {},
): Route {
  return route(endpoint, async (c, request) => {
    const { daemon } = c.env.services;
    if (version !== undefined) {
      // Before the response: after a change in between it is newer than its version says, never older.
      await answerUnchanged(c, async () => {
        c.res = c.body(null, 200, { etag: `"${version(daemon, request)}"` });
      });
      if (!c.res.ok) return c.res;
    }
    c.res = sendJson(c, await perform(daemon, request), endpoint.status);
    return c.res;
  });
}

/** Hono's middleware, called with the headers of a response that is not made yet. */
const answerUnchanged = etag();

export function sendJson(c: Context, value: unknown, status: Endpoint['status'] = 200): Response {
  return sendText(c, JSON.stringify(value), 'application/json; charset=utf-8', status);
}

/** States the length, which decides whether the response is compressed. */
export function sendText(c: Context, text: string, type: string, status: Endpoint['status'] = 200): Response {
  return c.body(text, status, { 'content-type': type, 'content-length': String(Buffer.byteLength(text)) });
}

const NOTHING = z.strictObject({});

async function checkRequest<E extends Endpoint>(c: ApiContext, endpoint: E): Promise<CheckedRequest<E>> {
  const { method, params = NOTHING, query = NOTHING, body = NOTHING } = endpoint;
  return {
    params: check(params, c.req.param(), 'path'),
    query: check(query, readQuery(c), 'query'),
    body: check(body, method === 'GET' ? {} : await readJson(c), 'body'),
  } as CheckedRequest<E>;
}

/** A repeated key is a list, which no schema takes. */
function readQuery({ req }: ApiContext): unknown {
  return Object.fromEntries(
    Object.entries(req.queries()).map(([name, values]) => [name, values.length === 1 ? values[0] : values]),
  );
}

export function check<T>(schema: z.ZodType<T>, data: unknown, what: string): T {
  return unwrap(decode(schema, data, what));
}
