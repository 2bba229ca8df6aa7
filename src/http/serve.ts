/** The HTTP entry points of a daemon: one application on a Unix socket and on loopback, closed in bounded time. */
import { createServer, type RequestListener, type Server, STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import { LegionError } from '../core/model/fault.ts';
import type { Daemon } from '../daemon/daemon.ts';
import type { Clock } from '../domain/clock.ts';
import { createApi, type LiveRoute, listRoutes } from './api.ts';
import { callers } from './caller.ts';
import { openStreams, type Streams } from './events/streams.ts';
import { openInflightBodies } from './inflight-bodies.ts';
import { ADDRESS, listen } from './listen.ts';
import { listenOnSocket } from './listen-socket.ts';
import { createListeners } from './listeners.ts';
import { describeEndpoints } from './openapi.ts';
import { createPages } from './pages.ts';
import { toRefusal } from './refusal.ts';
import type { HttpServices } from './route.ts';
import { ROUTES } from './routes/table.ts';
import { openSessions } from './sessions/sessions.ts';
import { MAX_UNPROVEN, unprovenConnections } from './unproven-connections.ts';

/** A client on this machine sends its headers in a millisecond; ten seconds allow for one that swaps. */
const HEADERS_MS = 10_000;
/** For a whole request with a megabyte of body. */
const REQUEST_MS = 30_000;
/** How often Node checks for late requests, which may take that much longer. */
const LATE_CHECK_MS = 5_000;
/** For an idle connection: long enough for a command with several requests. */
const KEEP_ALIVE_MS = 5_000;
/** How long requests under way may take to end. Cutting one off loses nothing: what counts is journaled. */
const CLOSE_MS = 1_000;

/** On loopback: proven connections are few, and all others have a limit of their own. */
const MAX_CONNECTIONS = 2 * MAX_UNPROVEN;

export interface HttpOptions {
  /** 0 for any free port. */
  readonly port: number;
  /** The path of the Unix socket. */
  readonly socket: string;
  /** The operator's. */
  readonly token: string;
  /** The file that keeps who is logged in. */
  readonly sessionsFile: string;
  /** Finds the folder of the built dashboard for each request; undefined where there is none. */
  readonly pages?: () => string | undefined;
  readonly clock: Clock;
  /** Takes defects, about which clients learn nothing. */
  readonly onError?: (error: unknown) => void;
}

export interface HttpDoor {
  readonly url: string;
  readonly port: number;
  readonly socket: string;
  /** Every method and path it answers to, read from the live application. */
  routes(): readonly LiveRoute[];
  /** Ends event streams and idle connections at once, and the rest within a second. */
  close(): Promise<void>;
}

export async function serveHttp(daemon: Daemon, options: HttpOptions): Promise<HttpDoor> {
  const { clock, onError: report = () => undefined, pages = () => undefined } = options;
  const sessions = openSessions(options.sessionsFile, clock, report);
  const streams = openStreams();
  const unproven = unprovenConnections();
  let port: number | undefined;
  let description: unknown;
  const services: HttpServices = {
    daemon,
    clock,
    streams,
    sessions,
    report,
    inflight: openInflightBodies(),
    // Made when it is first asked for: most daemons never are.
    describeApi() {
      const endpoints = ROUTES.map(({ endpoint }) => endpoint);
      description ??= describeEndpoints(endpoints, daemon.health().version, port);
      return description;
    },
  };
  const api = createApi(ROUTES, report);
  const listeners = createListeners({
    api,
    services,
    unproven,
    pages: createPages(pages, report),
    callers: callers(options.token, daemon.speech, sessions),
  });
  const commands = openServer(listeners.onSocket);
  const server = openServer(listeners.onLoopback);
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
      routes: () => listRoutes(api),
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

function openServer(listener: RequestListener): Server {
  const server = createServer(
    {
      headersTimeout: HEADERS_MS,
      requestTimeout: REQUEST_MS,
      keepAliveTimeout: KEEP_ALIVE_MS,
      connectionsCheckingInterval: LATE_CHECK_MS,
      // Our own guard refuses a request without a host, with a code.
      requireHostHeader: false,
    },
    listener,
  );
  server.on('clientError', answerClientError);
  return server;
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

/** Answers bytes that Node cannot read as a request: there is only a socket to answer on. */
function answerClientError(error: Error & { readonly code?: string }, socket: Socket): void {
  // After an earlier response on this connection, the client could not tell what this one belongs to.
  if (!socket.writable || socket.bytesWritten > 0) {
    socket.destroy();
    return;
  }
  const { status, headers, body } = toRefusal(toFault(error.code));
  const lines = Object.entries({ ...headers, connection: 'close' }).map(
    ([name, value]) => `${name}: ${value}`,
  );
  socket.end([`HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}`, ...lines, '', body].join('\r\n'));
}

function toFault(code: string | undefined): LegionError {
  switch (code) {
    case 'ERR_HTTP_REQUEST_TIMEOUT':
      return new LegionError('http.request_timeout', 'the request did not arrive in time');
    case 'HPE_HEADER_OVERFLOW':
      return new LegionError('http.head_too_large', 'the request’s headers are too large');
    default:
      return new LegionError('http.request_malformed', 'this is no HTTP request');
  }
}
