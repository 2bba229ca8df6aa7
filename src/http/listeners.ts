/**
 * Checks each request with a guard, which reads Node's own request object, and then passes the
 * request to Hono. Also limits unauthenticated connections.
 */
import type { IncomingMessage, RequestListener } from 'node:http';
import type { Socket } from 'node:net';
import { getRequestListener, RequestError } from '@hono/node-server';
import type { Hono } from 'hono';
import { LegionError, quoteText } from '../core/model/fault.ts';
import type { WebhookService } from '../daemon/daemon.ts';
import { WEBHOOK_SERVICES } from '../protocol/endpoints/session.ts';
import type { HttpApi } from './api.ts';
import type { Caller, CallerAuthenticator } from './caller.ts';
import { isPageTarget } from './pages.ts';
import { toLegionError, toRefusalResponse } from './refusal.ts';
import type { HttpServices } from './route.ts';

interface ListenerOptions {
  readonly api: HttpApi;
  readonly pages: Hono;
  readonly services: HttpServices;
  readonly callers: CallerAuthenticator;
  readonly unproven: UnprovenConnections;
}

interface HttpListeners {
  /**
   * Serves commands and workers. Browsers and services cannot reach the socket, and only a token is
   * accepted.
   */
  readonly onSocket: RequestListener;
  readonly onLoopback: RequestListener;
}

export function createListeners({ api, pages, services, callers, unproven }: ListenerOptions): HttpListeners {
  const callerByRequest = new WeakMap<object, Caller>();
  const options = {
    // If true, Hono would replace the global `Request` and `Response`, which would affect every
    // HTTP client in this process.
    overrideGlobalObjects: false,
    // Host name for requests that have none. Only the Unix socket accepts such requests.
    hostname: 'localhost',
    errorHandler: (error: unknown) => toResponse(error instanceof RequestError ? refuseTarget(error) : error),
  };
  const serveApi = getRequestListener(
    (request, bindings) =>
      api.fetch(request, { ...bindings, services, caller: callerByRequest.get(bindings.incoming) }),
    options,
  );
  const servePage = getRequestListener((request) => pages.fetch(toPageRequest(request)), options);

  function toResponse(error: unknown): Response {
    return toRefusalResponse(toLegionError(error, services.report));
  }

  /** Serves a request only after `check` has accepted it. Checks never read the body. */
  function withGuard(check: (incoming: IncomingMessage) => void, serve: RequestListener): RequestListener {
    return (incoming, outgoing) => {
      try {
        check(incoming);
      } catch (error) {
        const refusal = toResponse(error);
        // Hono's adapter sends the error response, and closes the connection if the body keeps
        // arriving.
        const refuse = getRequestListener(() => refusal, { ...options, errorHandler: () => refusal });
        return refuse(incoming, outgoing);
      }
      return serve(incoming, outgoing);
    };
  }

  function identifyOnLoopback(incoming: IncomingMessage): Caller {
    const service = findWebhookService(incoming);
    if (service !== undefined) {
      refuseForeignPage(incoming);
      return { is: 'service', service };
    }
    refuseForeign(incoming);
    const caller = callers.identifyByAnyProof(incoming);
    if (caller.is !== 'visitor') unproven.prove(incoming.socket);
    return caller;
  }

  const onPage = withGuard(refuseForeign, servePage);
  const onApi = withGuard(
    (incoming) => callerByRequest.set(incoming, identifyOnLoopback(incoming)),
    serveApi,
  );
  return {
    onSocket: withGuard(
      (incoming) => callerByRequest.set(incoming, callers.identifyByToken(incoming)),
      serveApi,
    ),
    onLoopback(incoming, outgoing) {
      outgoing.once('finish', () => unproven.renew(incoming.socket));
      return isPageTarget(incoming.url) ? onPage(incoming, outgoing) : onApi(incoming, outgoing);
    },
  };
}

/**
 * Keeps only the headers that pages need, and drops range requests. Turns HEAD into GET, because
 * Node itself omits the body of a response to HEAD.
 */
function toPageRequest(request: Request): Request {
  const { url, method, headers } = request;
  if (method !== 'GET' && method !== 'HEAD') return request;
  const names = ['accept-encoding', 'if-none-match'];
  return new Request(url, { headers: names.map((name) => [name, headers.get(name) ?? '']) });
}

function refuseTarget(cause: Error): LegionError {
  const message = 'The request target is not a valid address.';
  return new LegionError('http.request_malformed', message, { cause });
}

/**
 * Recognises webhooks. A tunnel or proxy on this machine forwards them under its own public host
 * name, so they need no local host name. They need no token either, because the daemon checks their
 * signature first. The target is compared exactly as sent, so no other path can pass for a webhook.
 */
function findWebhookService({
  method,
  url,
}: Pick<IncomingMessage, 'method' | 'url'>): WebhookService | undefined {
  return method === 'POST' ? WEBHOOK_SERVICES.find((service) => url === `/webhooks/${service}`) : undefined;
}

/**
 * Host names that a request may use. A foreign page can point its own name to 127.0.0.1, but cannot
 * make the browser send one of these names.
 */
const LOOPBACK_NAMES: readonly string[] = ['127.0.0.1', 'localhost', '[::1]'];

function refuseForeign(incoming: IncomingMessage): void {
  const { headersDistinct, url = '' } = incoming;
  const ownNames = listOwnNames(incoming);
  const { host: hosts = [] } = headersDistinct;
  const [host = ''] = hosts;
  // Refuses several Host headers, because a proxy in between might use a different one of them than
  // this server does.
  if (hosts.length > 1 || !ownNames.includes(host.toLowerCase())) {
    throw new LegionError(
      'http.foreign_host',
      `The host ${quoteText(host)} is not allowed. Valid: ${ownNames.join(', ')}.`,
    );
  }
  refuseForeignPage(incoming);
  if (!url.startsWith('/')) refuseForeignTarget(url, ownNames);
}

/** Refuses a page of another origin. Only browsers send an Origin header; services do not. */
function refuseForeignPage(incoming: IncomingMessage): void {
  const ownNames = listOwnNames(incoming);
  const { origin: origins = [] } = incoming.headersDistinct;
  const foreign = origins.find((origin) => !ownNames.some((name) => `http://${name}` === origin));
  if (foreign !== undefined) {
    throw new LegionError(
      'http.foreign_host',
      `A page from ${quoteText(foreign)} is not allowed to send requests to the daemon.`,
    );
  }
}

function listOwnNames({ socket }: IncomingMessage): readonly string[] {
  return LOOPBACK_NAMES.map((name) => `${name}:${socket.localPort}`);
}

/**
 * Checks a request target that contains a host, which is the form that clients send to a proxy.
 * That host takes precedence over the `Host` header.
 */
function refuseForeignTarget(target: string, ownNames: readonly string[]): void {
  if (!URL.canParse(target)) {
    throw new LegionError('http.request_malformed', `${quoteText(target)} is not a valid request target.`);
  }
  const { protocol, host } = new URL(target);
  if (protocol !== 'http:' || !ownNames.includes(host)) {
    throw new LegionError('http.foreign_host', `The daemon is not a proxy for ${quoteText(target)}.`);
  }
}

/**
 * Limit for open unauthenticated connections. More than a busy legion ever has, and more than the
 * system queues at once.
 */
export const MAX_UNPROVEN_CONNECTIONS = 512;

export interface UnprovenConnections {
  /** Counts a connection until it closes or is authenticated. */
  add(connection: Socket): void;
  /** Moves a connection to the end of the waiting order, because its request has been answered. */
  renew(connection: Socket): void;
  /** Exempts a connection from the limit, because it sent a token or a session. */
  prove(connection: Socket): void;
}

/**
 * Limits unauthenticated loopback connections, so that they cannot lock others out. If there are
 * too many, closes the connection that has waited longest. A real request arrives within
 * milliseconds, so that connection is idle or slow, and real requests still get through.
 */
export function createUnprovenConnections(): UnprovenConnections {
  // Connections in the order in which they started to wait.
  const waiting = new Set<Socket>();
  return {
    add(connection) {
      waiting.add(connection);
      connection.once('close', () => waiting.delete(connection));
      const [oldest] = waiting;
      if (waiting.size > MAX_UNPROVEN_CONNECTIONS) oldest?.destroy();
    },
    renew(connection) {
      if (waiting.delete(connection) && !connection.destroyed) waiting.add(connection);
    },
    prove(connection) {
      waiting.delete(connection);
    },
  };
}
