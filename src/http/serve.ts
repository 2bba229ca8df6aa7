/** The HTTP entry points of a daemon: one application on a Unix socket and on loopback, closed in bounded time. */
import type { IncomingMessage, RequestListener, Server, ServerResponse } from 'node:http';
import type { Daemon } from '../daemon/daemon.ts';
import type { Clock } from '../domain/clock.ts';
import type { Answer } from './answer.ts';
import { arrivingBodies } from './arriving-bodies.ts';
import { type Caller, type Callers, callers } from './caller.ts';
import { describeRoutes } from './document.ts';
import { eventStreams, type Streams } from './events/streams.ts';
import { faultAnswer } from './fault-answer.ts';
import { refuseForeign, refuseForeignPage } from './foreign.ts';
import { lead } from './lead.ts';
import { ADDRESS, listen } from './listen.ts';
import { listenOnSocket } from './listen-socket.ts';
import { openPages, type Pages, pagePath } from './pages/pages.ts';
import { answerClientError, sendAnswer } from './refuse-early.ts';
import type { Door } from './route.ts';
import { type RouteTable, routeTable, type TableEntry } from './route-table.ts';
import { ROUTES } from './routes/table.ts';
import { serviceOf } from './service-call.ts';
import { openSessions } from './sessions/sessions.ts';
import { UNPROVEN_MAX, type UnprovenConnections, unprovenConnections } from './unproven-connections.ts';

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

/** On loopback: those that have proved themselves are few, and all others are bounded by themselves. */
const MAX_CONNECTIONS = 2 * UNPROVEN_MAX;

export interface HttpOptions {
  /** 0: any that is free. */
  readonly port: number;
  /** The path of the Unix socket. */
  readonly socket: string;
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
  readonly socket: string;
  /** Every method and path it answers to, read from the live app. */
  routes(): readonly TableEntry[];
  /** Ends event streams and idle connections at once, and the rest within a second. */
  close(): Promise<void>;
}

export async function serveHttp(daemon: Daemon, options: HttpOptions): Promise<HttpDoor> {
  const { clock, onError = () => undefined } = options;
  const streams = eventStreams(onError);
  const sessions = openSessions(options.sessionsFile, clock, onError);
  let port: number | undefined;
  const document = describeRoutes(ROUTES, daemon, () => port);
  const table = routeTable(ROUTES);
  const door = { daemon, clock, streams, sessions, document, arriving: arrivingBodies() };
  const callerOf = callers(options.token, daemon.speech, sessions);
  const unproven = unprovenConnections();
  const answers = {
    door,
    table,
    callerOf,
    unproven,
    pages: openPages(options.pages ?? (() => undefined)),
    onError,
  };
  const commands = newServer(answerOnSocket(answers));
  const server = newServer(answerOnLoopback(answers));
  server.on('connection', unproven.add);
  server.maxConnections = MAX_CONNECTIONS;
  const servers = [commands, server];
  try {
    await listenOnSocket(commands, options.socket);
    port = await listen(server, options.port);
    return {
      url: `http://${ADDRESS}:${port}`,
      port,
      socket: options.socket,
      routes: () => table.entries(),
      async close() {
        await close(servers, streams, clock);
        await sessions.close();
      },
    };
  } catch (error) {
    await close(servers, streams, clock);
    throw error;
  }
}

function newServer(listener: RequestListener): Server {
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
    listener,
  );
  server.on('clientError', answerClientError);
  return server;
}

interface Answers {
  readonly door: Door;
  readonly table: RouteTable;
  readonly pages: Pages;
  readonly callerOf: Callers;
  readonly unproven: UnprovenConnections;
  readonly onError: (error: unknown) => void;
}

/** Commands and workers: no browser and no service gets here, so that a token is the only proof. */
function answerOnSocket({ door, table, callerOf, onError }: Answers): RequestListener {
  return answering(onError, (incoming, outgoing) =>
    lead(door, table, callerOf.byToken(incoming), incoming, outgoing),
  );
}

/**
 * Nothing of a request is looked at before these guards, but for whether it is a service's or asks for a page; nothing of its
 * body in any case.
 */
function answerOnLoopback({ door, table, pages, callerOf, unproven, onError }: Answers): RequestListener {
  const identify = (incoming: IncomingMessage): Caller => {
    const service = serviceOf(incoming);
    if (service !== undefined) {
      refuseForeignPage(incoming);
      return { is: 'service', service };
    }
    refuseForeign(incoming);
    const caller = callerOf.byAnyProof(incoming);
    if (caller.is !== 'visitor') unproven.prove(incoming.socket);
    return caller;
  };
  return answering(onError, async (incoming, outgoing) => {
    outgoing.once('finish', () => unproven.renew(incoming.socket));
    const path = pagePath(incoming.url);
    if (path === undefined) return lead(door, table, identify(incoming), incoming, outgoing);
    refuseForeign(incoming);
    const { method = '', headers } = incoming;
    return pages.answer({ method, path, header: (name) => headers[name]?.toString() });
  });
}

function answering(
  onError: (error: unknown) => void,
  answer: (incoming: IncomingMessage, outgoing: ServerResponse) => Promise<Answer | 'streaming'>,
): RequestListener {
  return (incoming, outgoing) => {
    new Promise<Answer | 'streaming'>((resolve) => resolve(answer(incoming, outgoing))).then(
      (given) => given !== 'streaming' && sendAnswer(outgoing, given),
      (error: unknown) => sendAnswer(outgoing, faultAnswer(error, onError)),
    );
  };
}

async function close(servers: readonly Server[], streams: Streams, clock: Clock): Promise<void> {
  const bound = new AbortController();
  const closed = Promise.all(
    servers.map((server) => new Promise<void>((resolve) => server.close(() => resolve()))),
  );
  streams.endAll();
  await Promise.race([closed, clock.sleep(CLOSE_MS, bound.signal)]);
  bound.abort();
  for (const server of servers) server.closeAllConnections();
  await closed;
}
