/** Serves one HTTP application on a Unix socket and on loopback, and closes it in bounded time. */
import { createServer, type RequestListener, type Server, STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import type { Clock } from '../core/model/clock.ts';
import { LegionError } from '../core/model/fault.ts';
import type { Daemon } from '../daemon/daemon.ts';
import { createApi, type LiveRoute, listRoutes } from './api.ts';
import { openInflightBodies } from './bodies.ts';
import { createAuthenticator } from './caller.ts';
import { LOOPBACK_ADDRESS, listenOnPort, listenOnSocket } from './listen.ts';
import { createListeners, createUnprovenConnections, MAX_UNPROVEN_CONNECTIONS } from './listeners.ts';
import { describeEndpoints } from './openapi.ts';
import { createPages } from './pages.ts';
import { toRefusal } from './refusal.ts';
import { type EventStreams, type HttpServices, openEventStreams } from './route.ts';
import { ROUTES } from './routes/table.ts';
import { openBrowserSessions } from './sessions.ts';

/**
 * A local client sends its headers within a millisecond. Ten seconds are enough even if the machine
 * is swapping.
 */
const HEADERS_TIMEOUT_MS = 10_000;
/** Time limit for a whole request, including a body of a megabyte. */
const REQUEST_TIMEOUT_MS = 30_000;
/**
 * Interval at which Node checks the two limits above. A request may therefore exceed its limit by
 * up to this time.
 */
const LATE_CHECK_MS = 5_000;
/** Time limit for an idle connection. Long enough for a command that sends several requests. */
const KEEP_ALIVE_TIMEOUT_MS = 5_000;
/**
 * Time limit for pending requests when the server closes. Cutting off a request loses nothing,
 * because everything important is in the journal.
 */
const CLOSE_TIMEOUT_MS = 1_000;

/**
 * Maximum number of loopback connections. There are few authenticated connections, and
 * unauthenticated connections have their own limit.
 */
const MAX_CONNECTIONS = 2 * MAX_UNPROVEN_CONNECTIONS;

export interface HttpOptions {
  /** 0 selects any free port. */
  readonly port: number;
  /** Path of the Unix socket. */
  readonly socket: string;
  /** Token of the operator. */
  readonly token: string;
  /** File that stores the sessions. */
  readonly sessionsFile: string;
  /**
   * Returns the dashboard's directory, or undefined if the dashboard is not built. Called for each
   * request.
   */
  readonly pages?: () => string | undefined;
  readonly clock: Clock;
  /** Called with defects, whose details clients never see. */
  readonly onError?: (error: unknown) => void;
}

export interface HttpServerHandle {
  readonly url: string;
  readonly port: number;
  readonly socket: string;
  /** Returns every method and path that the server serves, read from the running application. */
  routes(): readonly LiveRoute[];
  /**
   * Closes the server. Ends event streams and idle connections at once, and all other connections
   * within a second.
   */
  close(): Promise<void>;
}

export async function serveHttp(daemon: Daemon, options: HttpOptions): Promise<HttpServerHandle> {
  const { clock, onError: report = () => undefined, pages = () => undefined } = options;
  const sessions = openBrowserSessions(options.sessionsFile, clock, report);
  const streams = openEventStreams();
  const unproven = createUnprovenConnections();
  let port: number | undefined;
  let description: unknown;
  const services: HttpServices = {
    daemon,
    clock,
    streams,
    sessions,
    report,
    inflight: openInflightBodies(),
    // Builds the document when it is first requested, because most daemons never receive such a
    // request.
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
    callers: createAuthenticator(options.token, daemon.workerApi, sessions),
  });
  const commands = openServer(listeners.onSocket);
  const server = openServer(listeners.onLoopback);
  server.on('connection', unproven.add);
  server.maxConnections = MAX_CONNECTIONS;
  const servers = [commands, server];
  try {
    await listenOnSocket(commands, options.socket);
    port = await listenOnPort(server, options.port);
    return {
      url: `http://${LOOPBACK_ADDRESS}:${port}`,
      port,
      socket: options.socket,
      routes: () => listRoutes(api),
      async close() {
        await closeServers(servers, streams, clock);
        await sessions.close();
      },
    };
  } catch (error) {
    await closeServers(servers, streams, clock);
    throw error;
  }
}

function openServer(listener: RequestListener): Server {
  const server = createServer(
    {
      headersTimeout: HEADERS_TIMEOUT_MS,
      requestTimeout: REQUEST_TIMEOUT_MS,
      keepAliveTimeout: KEEP_ALIVE_TIMEOUT_MS,
      connectionsCheckingInterval: LATE_CHECK_MS,
      // Turns off Node's own refusal of requests without a host, because our guard refuses them
      // with an error code.
      requireHostHeader: false,
    },
    listener,
  );
  server.on('clientError', answerClientError);
  return server;
}

async function closeServers(servers: readonly Server[], streams: EventStreams, clock: Clock): Promise<void> {
  const bound = new AbortController();
  const closed = Promise.all(
    servers.map((server) => new Promise<void>((resolve) => server.close(() => resolve()))),
  );
  streams.endAll();
  await Promise.race([closed, clock.sleep(CLOSE_TIMEOUT_MS, bound.signal)]);
  bound.abort();
  for (const server of servers) server.closeAllConnections();
  await closed;
}

/**
 * Responds to a client whose bytes Node cannot parse as a request. Writes the response directly to
 * the socket.
 */
function answerClientError(error: Error & { readonly code?: string }, socket: Socket): void {
  // If this connection has already carried a response, sends nothing, because the client could not
  // match an error to a request.
  if (!socket.writable || socket.bytesWritten > 0) {
    socket.destroy();
    return;
  }
  const { status, headers, body } = toRefusal(toClientFault(error.code));
  const lines = Object.entries({ ...headers, connection: 'close' }).map(
    ([name, value]) => `${name}: ${value}`,
  );
  socket.end([`HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}`, ...lines, '', body].join('\r\n'));
}

function toClientFault(code: string | undefined): LegionError {
  switch (code) {
    case 'ERR_HTTP_REQUEST_TIMEOUT':
      return new LegionError('http.request_timeout', 'The request did not arrive in time.');
    case 'HPE_HEADER_OVERFLOW':
      return new LegionError('http.head_too_large', 'The request’s headers are too large.');
    default:
      return new LegionError('http.request_malformed', 'The request is not valid HTTP.');
  }
}
