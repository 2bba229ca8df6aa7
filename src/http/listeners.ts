/** Passes requests through the guards, which read Node's own objects, and then hands them to Hono. */
import type { IncomingMessage, RequestListener } from 'node:http';
import { getRequestListener, RequestError } from '@hono/node-server';
import type { Hono } from 'hono';
import { LegionError, shown } from '../core/model/fault.ts';
import type { WebhookService } from '../daemon/daemon.ts';
import { WEBHOOK_SERVICES } from '../protocol/endpoints/reports.ts';
import type { Api } from './api.ts';
import type { Caller, Callers } from './caller.ts';
import { isPageTarget } from './pages.ts';
import { toLegionError, toRefusalResponse } from './refusal.ts';
import type { HttpServices } from './route.ts';
import type { UnprovenConnections } from './unproven-connections.ts';

interface ListenerParts {
  readonly api: Api;
  readonly pages: Hono;
  readonly services: HttpServices;
  readonly callers: Callers;
  readonly unproven: UnprovenConnections;
}

interface Listeners {
  /** For commands and workers: no browser and no service gets here, and a token is the only proof. */
  readonly onSocket: RequestListener;
  readonly onLoopback: RequestListener;
}

export function createListeners({ api, pages, services, callers, unproven }: ListenerParts): Listeners {
  const admitted = new WeakMap<object, Caller>();
  const options = {
    // Replacing the process's own `Request` and `Response` would also affect every client in it.
    overrideGlobalObjects: false,
    // Only the socket lets a request without a host pass.
    hostname: 'localhost',
    errorHandler: (error: unknown) => toResponse(error instanceof RequestError ? refuseTarget(error) : error),
  };
  const serveApi = getRequestListener(
    (request, bindings) =>
      api.fetch(request, { ...bindings, services, caller: admitted.get(bindings.incoming) }),
    options,
  );
  const servePage = getRequestListener((request) => pages.fetch(toPageRequest(request)), options);

  function toResponse(error: unknown): Response {
    return toRefusalResponse(toLegionError(error, services.report));
  }

  /** Uses nothing of a request before its guard has let it pass, and nothing of its body in any case. */
  function guard(check: (incoming: IncomingMessage) => void, serve: RequestListener): RequestListener {
    return (incoming, outgoing) => {
      try {
        check(incoming);
      } catch (error) {
        const refusal = toResponse(error);
        // Hono's adapter writes it, and closes the connection if the body keeps arriving.
        const refuse = getRequestListener(() => refusal, { ...options, errorHandler: () => refusal });
        return refuse(incoming, outgoing);
      }
      return serve(incoming, outgoing);
    };
  }

  function identifyOnLoopback(incoming: IncomingMessage): Caller {
    const service = serviceOf(incoming);
    if (service !== undefined) {
      refuseForeignPage(incoming);
      return { is: 'service', service };
    }
    refuseForeign(incoming);
    const caller = callers.byAnyProof(incoming);
    if (caller.is !== 'visitor') unproven.prove(incoming.socket);
    return caller;
  }

  const onPage = guard(refuseForeign, servePage);
  const onApi = guard((incoming) => admitted.set(incoming, identifyOnLoopback(incoming)), serveApi);
  return {
    onSocket: guard((incoming) => admitted.set(incoming, callers.byToken(incoming)), serveApi),
    onLoopback(incoming, outgoing) {
      outgoing.once('finish', () => unproven.renew(incoming.socket));
      return isPageTarget(incoming.url) ? onPage(incoming, outgoing) : onApi(incoming, outgoing);
    },
  };
}

/** Node leaves the body of a response to HEAD out by itself. Pages need no other headers, and no ranges. */
function toPageRequest(request: Request): Request {
  const { url, method, headers } = request;
  if (method !== 'GET' && method !== 'HEAD') return request;
  const names = ['accept-encoding', 'if-none-match'];
  return new Request(url, { headers: names.map((name) => [name, headers.get(name) ?? '']) });
}

function refuseTarget(cause: Error): LegionError {
  const message = 'the request has no address one could look up';
  return new LegionError('http.request_malformed', message, { cause });
}

/**
 * A tunnel or proxy on this machine passes webhooks on under its own public name. The signature, which the daemon checks
 * first, stands in for token and name. The target is compared as it was sent: no other path can pass for one of these.
 */
function serviceOf({ method, url }: Pick<IncomingMessage, 'method' | 'url'>): WebhookService | undefined {
  return method === 'POST' ? WEBHOOK_SERVICES.find((service) => url === `/webhooks/${service}`) : undefined;
}

/** A foreign page can point its own name to 127.0.0.1, but cannot make the browser send one of these. */
const NAMES: readonly string[] = ['127.0.0.1', 'localhost', '[::1]'];

function refuseForeign(incoming: IncomingMessage): void {
  const { headersDistinct, url = '' } = incoming;
  const ours = ownNames(incoming);
  const { host: hosts = [] } = headersDistinct;
  const [host = ''] = hosts;
  // With two names, a program that reads the other one would see a different request.
  if (hosts.length > 1 || !ours.includes(host.toLowerCase())) {
    throw new LegionError('http.foreign_host', `the daemon does not answer to the name ${shown(host)}`);
  }
  refuseForeignPage(incoming);
  if (!url.startsWith('/')) refuseForeignTarget(url, ours);
}

/** Only browsers send an origin: no service does. */
function refuseForeignPage(incoming: IncomingMessage): void {
  const ours = ownNames(incoming);
  const { origin: origins = [] } = incoming.headersDistinct;
  const foreign = origins.find((origin) => !ours.some((name) => `http://${name}` === origin));
  if (foreign !== undefined) {
    throw new LegionError('http.foreign_host', `a page of ${shown(foreign)} may not speak to the daemon`);
  }
}

function ownNames({ socket }: IncomingMessage): readonly string[] {
  return NAMES.map((name) => `${name}:${socket.localPort}`);
}

/** As sent to a proxy: the whole address in the request line, which then counts more than the `Host` header. */
function refuseForeignTarget(target: string, ours: readonly string[]): void {
  if (!URL.canParse(target)) {
    throw new LegionError('http.request_malformed', `${shown(target)} is not the path of a request`);
  }
  const { protocol, host } = new URL(target);
  if (protocol !== 'http:' || !ours.includes(host)) {
    throw new LegionError('http.foreign_host', `the daemon is no proxy to ${shown(target)}`);
  }
}
