/**
 * Defines routes, each an endpoint with the handlers that serve it, and limits open event streams.
 */
import type { HttpBindings } from '@hono/node-server';
import type { Context, Handler } from 'hono';
import { etag } from 'hono/etag';
import { z } from 'zod';
import type { Clock } from '../core/model/clock.ts';
import { decode } from '../core/model/decode.ts';
import { LegionError } from '../core/model/fault.ts';
import type { Daemon } from '../daemon/daemon.ts';
import { unwrap } from '../lib/result.ts';
import type { CheckedRequest, Endpoint, EndpointResult } from '../protocol/endpoint.ts';
import { type InflightBodies, limitBody, readJson } from './bodies.ts';
import type { Caller } from './caller.ts';
import type { BrowserSessions } from './sessions.ts';

/** Services available to handlers. */
export interface HttpServices {
  readonly daemon: Daemon;
  readonly clock: Clock;
  readonly streams: EventStreams;
  readonly inflight: InflightBodies;
  readonly sessions: BrowserSessions;
  /** Receives defects. Clients never see their details. */
  readonly report: (error: unknown) => void;
  /** Returns all endpoints as an OpenAPI document. */
  readonly describeApi: () => unknown;
}

export interface ApiEnv {
  readonly Bindings: HttpBindings & {
    /** Caller of the request, as identified by the guards that run before Hono. */
    readonly caller: Caller;
    readonly services: HttpServices;
  };
}
export type ApiContext = Context<ApiEnv>;

export interface HttpRoute {
  readonly endpoint: Endpoint;
  readonly handlers: readonly Handler<ApiEnv>[];
}

/**
 * Defines a route. Refuses every input key that the endpoint does not declare, because a misspelt
 * key would otherwise be ignored.
 */
export function defineRoute<E extends Endpoint>(
  endpoint: E,
  respond: (c: ApiContext, request: CheckedRequest<E>) => Response | Promise<Response>,
): HttpRoute {
  const handler = async (c: ApiContext) => respond(c, await checkRequest(c, endpoint));
  const takesBody = endpoint.method !== 'GET';
  return { endpoint, handlers: takesBody ? [limitBody(endpoint.maxBodyBytes), handler] : [handler] };
}

interface JsonRouteOptions<E extends Endpoint> {
  /**
   * Returns the version of the response. If the client already has this version, the server answers
   * 304 without building the response.
   */
  readonly version?: (daemon: Daemon, request: CheckedRequest<E>) => string;
}

export function defineJsonRoute<E extends Endpoint>(
  endpoint: E,
  handle: (daemon: Daemon, request: CheckedRequest<E>) => EndpointResult<E> | Promise<EndpointResult<E>>,
  { version }: JsonRouteOptions<E> = {},
): HttpRoute {
  return defineRoute(endpoint, async (c, request) => {
    const { daemon } = c.env.services;
    if (version !== undefined) {
      // The version is read before the response is built. If something changes in between, the
      // response is newer than its version, never older.
      await answerUnchanged(c, async () => {
        c.res = c.body(null, 200, { etag: `"${version(daemon, request)}"` });
      });
      if (!c.res.ok) return c.res;
    }
    c.res = sendJson(c, await handle(daemon, request), endpoint.status);
    return c.res;
  });
}

/** Hono's ETag middleware. It is called with the headers alone, before the response is built. */
const answerUnchanged = etag();

export function sendJson(c: Context, value: unknown, status: Endpoint['status'] = 200): Response {
  return sendText(c, JSON.stringify(value), 'application/json; charset=utf-8', status);
}

/** Sets the content length, because the length decides whether the response is compressed. */
export function sendText(c: Context, text: string, type: string, status: Endpoint['status'] = 200): Response {
  return c.body(text, status, { 'content-type': type, 'content-length': String(Buffer.byteLength(text)) });
}

const EMPTY_INPUT = z.strictObject({});

async function checkRequest<E extends Endpoint>(c: ApiContext, endpoint: E): Promise<CheckedRequest<E>> {
  const { method, params = EMPTY_INPUT, query = EMPTY_INPUT, body = EMPTY_INPUT } = endpoint;
  return {
    params: checkInput(params, c.req.param(), 'path'),
    query: checkInput(query, readQuery(c), 'query'),
    body: checkInput(body, method === 'GET' ? {} : await readJson(c), 'body'),
  } as CheckedRequest<E>;
}

/** Reads the query. A repeated key becomes a list, which no schema accepts. */
function readQuery({ req }: ApiContext): unknown {
  return Object.fromEntries(
    Object.entries(req.queries()).map(([name, values]) => [name, values.length === 1 ? values[0] : values]),
  );
}

export function checkInput<T>(schema: z.ZodType<T>, data: unknown, subject: string): T {
  return unwrap(decode(schema, data, subject));
}

/**
 * Enough for several dashboards and `legion watch` commands. Each stream costs one socket, and one
 * read of the journal after every append.
 */
const MAX_STREAMS = 32;

export interface EventStreams {
  /**
   * Adds a stream. Throws if the limit is reached. The caller must call the returned function when
   * the stream has ended.
   */
  add(end: () => void): () => void;
  endAll(): void;
}

/** Limits the number of open event streams and can end them all. */
export function openEventStreams(): EventStreams {
  const open = new Set<() => void>();
  return {
    add(end) {
      if (open.size >= MAX_STREAMS) {
        throw new LegionError('http.too_many_streams', `All ${MAX_STREAMS} event streams are in use.`);
      }
      open.add(end);
      return () => void open.delete(end);
    },
    endAll() {
      for (const end of open) end();
    },
  };
}
