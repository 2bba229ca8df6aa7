/** The HTTP door of a daemon: opens it, guards it, and closes it in bounded time. */
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Daemon } from '../daemon/daemon.ts';
import type { Clock } from '../domain/clock.ts';
import { arrivingBytes } from './arriving.ts';
import { type Caller, callers } from './caller.ts';
import { describeRoutes } from './document.ts';
import { eventStreams, type Streams } from './events/streams.ts';
import { faultAnswer } from './fault-answer.ts';
import { refuseForeign, refuseForeignPage } from './foreign.ts';
import { lead } from './lead.ts';
import { ADDRESS, listen } from './listen.ts';
import { openPages, type Pages, pagePath } from './pages/pages.ts';
import { answerClientError, sendAnswer } from './refuse-early.ts';
import type { Door } from './route.ts';
import { type RouteTable, routeTable, type TableEntry } from './route-table.ts';
import { ROUTES } from './routes/table.ts';
import { serviceOf } from './service-call.ts';
import { openSessions } from './sessions/sessions.ts';

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
  /** Where it is kept who is logged in. */
  readonly sessionsFile: string;
  /** The folder of the built dashboard, asked for when a page is opened; undefined where there is none. */
  readonly pages?: () => string | undefined;
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
  const sessions = openSessions(options.sessionsFile, clock, onError);
  const document = describeRoutes(ROUTES, daemon, () => port);
  const table = routeTable(ROUTES);
  // Asked for in this way, because an `import` also loads what else the module offers: a client of 13 MB.
  const { createServer } = process.getBuiltinModule('node:http');
  const server = createServer(
    {
      headersTimeout: HEADERS_MS,
      requestTimeout: REQUEST_MS,
      keepAliveTimeout: KEEP_ALIVE_MS,
      connectionsCheckingInterval: LATE_CHECK_MS,
      // A request without a host is refused by our own guard, with a code.
      requireHostHeader: false,
    },
    guarded(
      { daemon, clock, streams, sessions, document, arriving: arrivingBytes() },
      table,
      openPages(options.pages ?? (() => undefined)),
      callers(options.token, daemon.speech, sessions),
      onError,
    ),
  );
  server.on('clientError', answerClientError);
  const port = await listen(server, options.port);
  return {
    url: `http://${ADDRESS}:${port}`,
    port,
    routes: () => table.entries(),
    async close() {
      await close(server, streams, clock);
      await sessions.close();
    },
  };
}

/**
 * Nothing of a request is looked at before these guards, but for whether it is a service's or asks for a page; nothing of its
 * body in any case.
 */
function guarded(
  door: Door,
  table: RouteTable,
  pages: Pages,
  callerOf: ReturnType<typeof callers>,
  onError: (error: unknown) => void,
) {
  const letIn = (incoming: IncomingMessage): Caller => {
    const service = serviceOf(incoming);
    if (service !== undefined) {
      refuseForeignPage(incoming);
      return { is: 'service', service };
    }
    refuseForeign(incoming);
    return callerOf(incoming);
  };
  const answer = async (incoming: IncomingMessage, outgoing: ServerResponse) => {
    const path = pagePath(incoming.url);
    if (path !== undefined) {
      refuseForeign(incoming);
      const { method = '', headers } = incoming;
      const header = (name: string) => headers[name]?.toString();
      sendAnswer(outgoing, await pages.answer({ method, path, header }));
      return;
    }
    const caller = letIn(incoming);
    const given = await lead(door, table, caller, incoming, outgoing);
    if (given !== 'streaming') sendAnswer(outgoing, given);
  };
  return (incoming: IncomingMessage, outgoing: ServerResponse): void => {
    answer(incoming, outgoing).catch((error) => sendAnswer(outgoing, faultAnswer(error, onError)));
  };
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
