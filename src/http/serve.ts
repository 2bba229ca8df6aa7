/** The HTTP door of a daemon: opens it, guards it, and closes it in bounded time. */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { getRequestListener, RequestError } from '@hono/node-server';
import type { Daemon } from '../daemon/daemon.ts';
import type { Clock } from '../domain/clock.ts';
import { LegionError } from '../domain/fault.ts';
import { type App, makeApp, toResponse } from './app.ts';
import { callers } from './caller.ts';
import { describeRoutes } from './document.ts';
import { eventStreams, type Streams } from './events/streams.ts';
import { faultAnswer } from './fault-answer.ts';
import { refuseForeign } from './foreign.ts';
import { ADDRESS, listen } from './listen.ts';
import { answerClientError, sendAnswer } from './refuse-early.ts';
import { routeTable, type TableEntry } from './route-table.ts';
import { ROUTES } from './routes/table.ts';

/** Whoever is on this machine sends its headers in a millisecond; ten seconds are a machine that swaps. */
const HEADERS_MS = 10_000;
/** A whole request, with a megabyte of body. */
const REQUEST_MS = 30_000;
/** How often Node looks for requests that are late: they may take so much longer than allowed. */
const LATE_CHECK_MS = 5_000;
/** A connection nobody uses: long enough for a command that asks several things. */
const KEEP_ALIVE_MS = 5_000;
/** Requests under way may end; after this the daemon ends without them. Nothing is lost by it: what counts is journaled. */
const CLOSE_MS = 1_000;

export interface HttpOptions {
  /** 0: any that is free. */
  readonly port: number;
  /** The operator's. */
  readonly token: string;
  readonly clock: Clock;
  /** Hears of defects, which those who ask are not told about. */
  readonly onError?: (error: unknown) => void;
}

export interface HttpDoor {
  readonly url: string;
  readonly port: number;
  /** Every method and path it answers to, read from the live app. */
  routes(): readonly TableEntry[];
  /** Ends event streams and idle connections at once, and the rest within a second. */
  close(): Promise<void>;
}

export async function serveHttp(daemon: Daemon, options: HttpOptions): Promise<HttpDoor> {
  const { clock, onError = () => undefined } = options;
  const streams = eventStreams(onError);
  const document = describeRoutes(ROUTES, daemon);
  const app = makeApp({ daemon, clock, streams, document }, ROUTES, onError);
  const server = createServer(
    {
      headersTimeout: HEADERS_MS,
      requestTimeout: REQUEST_MS,
      keepAliveTimeout: KEEP_ALIVE_MS,
      connectionsCheckingInterval: LATE_CHECK_MS,
      // A request without a host is refused by our own guard, with a code.
      requireHostHeader: false,
    },
    guarded(app, callers(options.token, daemon.speech), onError),
  );
  server.on('clientError', answerClientError);
  const port = await listen(server, options.port);
  return {
    url: `http://${ADDRESS}:${port}`,
    port,
    routes: () => routeTable(app),
    close: () => close(server, streams, clock),
  };
}

/** Nothing of a request is looked at before these guards: not its path, not its body. */
function guarded(app: App, callerOf: ReturnType<typeof callers>, onError: (error: unknown) => void) {
  return (incoming: IncomingMessage, outgoing: ServerResponse): void => {
    try {
      refuseForeign(incoming);
      const caller = callerOf(incoming.headers.authorization);
      const lead = getRequestListener((request) => app.fetch(request, { incoming, outgoing, caller }), {
        // The process's own `Request` and `Response` are not ours to replace.
        overrideGlobalObjects: false,
        errorHandler: (error) => toResponse(faultAnswer(coded(error), onError)),
      });
      void lead(incoming, outgoing);
    } catch (error) {
      sendAnswer(outgoing, faultAnswer(error, onError));
    }
  };
}

/** An address that guards had nothing against may still be none. */
function coded(error: unknown): unknown {
  return error instanceof RequestError
    ? new LegionError('http.request_malformed', 'the request has no address one could look up')
    : error;
}

async function close(server: Server, streams: Streams, clock: Clock): Promise<void> {
  const bound = new AbortController();
  const closed = new Promise<void>((resolve) => server.close(() => resolve()));
  streams.endAll();
  await Promise.race([closed, clock.sleep(CLOSE_MS, bound.signal)]);
  bound.abort();
  server.closeAllConnections();
  await closed;
}
