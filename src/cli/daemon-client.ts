/** Sends requests to a legion's daemon over its Unix socket and validates every response. */

import type { IncomingMessage } from 'node:http';
import type { z } from 'zod';
import { decode } from '../core/model/decode.ts';
import { CATALOGUE, type FaultCode, LegionError } from '../core/model/fault.ts';
import { parseJson } from '../lib/json.ts';
import { isRunning } from '../lib/process/proc-table.ts';
import { type Endpoint, type EndpointArguments, errorAnswer } from '../protocol/endpoint.ts';
import { toRequestTarget } from '../protocol/request-target.ts';
import type { DaemonFile } from '../protocol/state-files.ts';
import { verifySocket } from '../worker-client/post.ts';
import { type DaemonAddress, readDaemonAddress } from './daemon-address.ts';

/**
 * Not a normal import, because that would also load Node's `fetch` and WebSocket code. Loading
 * would then take four times as long and use 15 MB more.
 */
const { request: httpRequest } = process.getBuiltinModule('node:http');

/**
 * Longer than the daemon's slowest responses, which are an uncached read from the forge and a
 * revert. The limit keeps a hung daemon from blocking a shell.
 */
const REQUEST_MS = 120_000;
/** Large enough for the whole state of a large board. */
const MAX_ANSWER_BYTES = 64 * 1_024 * 1_024;

type EndpointMethod = Endpoint['method'];
type RequestEndpoint = Omit<Endpoint, 'response'>;

interface CallOptions {
  readonly timeoutMs?: number | undefined;
}

interface RequestOptions extends CallOptions {
  readonly body?: unknown;
  /** Called when the whole request has been sent. */
  readonly onSent?: () => void;
}

interface EarlyRequest {
  readonly path: string;
  readonly query: Readonly<Record<string, string | undefined>>;
}

export interface DaemonClient {
  /**
   * Contents of the daemon's address file when it was first read. They stay available after that
   * daemon has exited.
   */
  readonly file: DaemonFile;
  /** Example: `daemon.call(issueEndpoints.show, { params: { id } })`. */
  call<E extends RequestEndpoint, S extends z.ZodType>(
    endpoint: E & { readonly response: S },
    ...[request]: EndpointArguments<E, CallOptions>
  ): Promise<z.output<S>>;
  /**
   * Sends the request before the endpoint's schemas are loaded. `load` is called once the request
   * has been sent, so that the modules load while the daemon prepares its response.
   */
  callEarly<E extends RequestEndpoint, S extends z.ZodType>(
    request: EarlyRequest,
    load: () => Promise<E & { readonly response: S }>,
  ): Promise<z.output<S>>;
  /** Returns the response as text, for endpoints that do not respond with JSON. */
  text(path: string): Promise<string>;
  /** Streams the response until the daemon ends it or the signal is aborted. */
  open(path: string, signal: AbortSignal): Promise<IncomingMessage>;
}

/**
 * Creates a client. It reads the address only when it is first used, so that a bad command line is
 * reported before a missing daemon. It reads the address again for every request, because a
 * restarted daemon has a new token. `signal` aborts pending requests.
 */
export function createDaemonClient(state: string, signal: AbortSignal, legion?: string): DaemonClient {
  let first: DaemonFile | undefined;
  const findDaemon = (): DaemonAddress => {
    const address = readDaemonAddress(state, legion);
    first ??= address.file;
    return address;
  };
  const fetchText = async (
    method: EndpointMethod,
    path: string,
    { body, timeoutMs = REQUEST_MS, onSent }: RequestOptions,
  ) => {
    const address = findDaemon();
    const bounded = AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]);
    try {
      const request = { method, path, body, onSent };
      return await readWholeAnswer(await sendRequest(address, request, bounded), method, path);
    } catch (error) {
      throw toRequestError(error, { address, method, path, timeoutMs, signal });
    }
  };
  return {
    get file() {
      return first ?? findDaemon().file;
    },
    async call({ method, path, response }, ...[request]) {
      const { params, query, ...options } = request ?? {};
      const target = toRequestTarget(path, params, query);
      return readAnswer(response, await fetchText(method, target, options), `${method} ${target}`);
    },
    async callEarly({ path, query }, load) {
      const target = toRequestTarget(path, undefined, query);
      const sent = Promise.withResolvers<void>();
      const [text, { response }] = await Promise.all([
        fetchText('GET', target, { onSent: sent.resolve }).finally(sent.resolve),
        sent.promise.then(load),
      ]);
      return readAnswer(response, text, `GET ${target}`);
    },
    text: (path) => fetchText('GET', path, {}),
    async open(path, until) {
      const address = findDaemon();
      try {
        const answer = await sendRequest(address, { method: 'GET', path }, until);
        if (answer.statusCode !== 200) await readWholeAnswer(answer, 'GET', path);
        return answer;
      } catch (error) {
        throw toRequestError(error, { address, method: 'GET', path, timeoutMs: 0, signal: until });
      }
    },
  };
}

function readAnswer<S extends z.ZodType>(response: S, text: string, requestLine: string): z.output<S> {
  const decoded = decode(response, parseJson(text), 'answer');
  if (decoded.ok) return decoded.value;
  throw new LegionError('daemon.answer_unknown', `${requestLine}: ${decoded.fault.message}`);
}

interface SentRequest {
  readonly method: EndpointMethod;
  readonly path: string;
  readonly body?: unknown;
  readonly onSent?: (() => void) | undefined;
}

async function sendRequest(
  { socket, token }: DaemonAddress,
  { method, path, body, onSent }: SentRequest,
  signal: AbortSignal,
): Promise<IncomingMessage> {
  verifySocket(socket);
  const content = body === undefined ? undefined : JSON.stringify(body);
  const headers = {
    authorization: `Bearer ${token}`,
    ...(content !== undefined && {
      'content-type': 'application/json',
      'content-length': String(Buffer.byteLength(content)),
    }),
  };
  return new Promise((resolve, reject) => {
    // No keep-alive: a command sends a few requests and exits.
    const request = httpRequest({ socketPath: socket, path, method, headers, signal, agent: false });
    request.on('response', resolve);
    request.on('error', reject);
    if (onSent !== undefined) request.on('finish', onSent);
    request.end(content);
  });
}

async function readWholeAnswer(
  answer: IncomingMessage,
  method: EndpointMethod,
  path: string,
): Promise<string> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of answer) {
    chunks.push(chunk as Buffer);
    size += (chunk as Buffer).length;
    if (size > MAX_ANSWER_BYTES) {
      throw new LegionError(
        'daemon.answer_unknown',
        `${method} ${path} returned more than ${MAX_ANSWER_BYTES} bytes.`,
      );
    }
  }
  const text = Buffer.concat(chunks).toString();
  const status = answer.statusCode ?? 0;
  if (status >= 200 && status < 300) return text;
  throw toRefusalError(status, text, method, path);
}

/** Converts the daemon's error response to an error with the same code. */
function toRefusalError(status: number, text: string, method: EndpointMethod, path: string): LegionError {
  const decoded = decode(errorAnswer, parseJson(text), 'answer');
  if (!decoded.ok)
    return new LegionError(
      'daemon.answer_unknown',
      `${method} ${path} returned status ${status} without a readable error.`,
    );
  const { code, message, next, due, retryAt } = decoded.value.error;
  if (Object.hasOwn(CATALOGUE, code))
    return new LegionError(code as FaultCode, message, { next, due, retryAt });
  return new LegionError('daemon.answer_unknown', `${message} [${code}] ${next}`);
}

interface FailedRequest {
  readonly address: DaemonAddress;
  readonly method: EndpointMethod;
  readonly path: string;
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
}

function toRequestError(
  error: unknown,
  { address, method, path, timeoutMs, signal }: FailedRequest,
): unknown {
  const { socket } = address;
  const { legion, pid } = address.file;
  if (error instanceof LegionError) return error;
  // An aborted request can fail with many different errors. All of them mean only that the request
  // was aborted.
  if (signal.aborted) return signal.reason;
  const { code, name, message } = error as NodeJS.ErrnoException;
  if (name === 'AbortError' || name === 'TimeoutError') {
    const text = `${socket} (pid ${pid}) did not respond to ${method} ${path} within ${timeoutMs / 1_000} s.`;
    return new LegionError('daemon.unreachable', text, { cause: error });
  }
  // The socket does not respond or does not exist. A killed daemon leaves its socket behind, and a
  // stopping daemon has already removed it.
  if ((code === 'ECONNREFUSED' || code === 'ENOENT') && !isRunning(pid)) {
    const text = `${legion} is not running: its daemon (pid ${pid}) has exited`;
    return new LegionError('daemon.not_running', text, { cause: error });
  }
  // The daemon is running. If its socket no longer exists, something else removed it, such as the
  // end of a login session that owned the runtime directory.
  const problem =
    code === 'ENOENT' ? `the socket is gone. Run \`kill ${pid}\`, then \`legion up\`.` : message;
  return new LegionError('daemon.unreachable', `${socket} (pid ${pid}): ${problem}`, { cause: error });
}
