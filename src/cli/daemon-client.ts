/** Asks the daemon of a legion over its Unix socket: one request, one checked answer, or a coded error. */

import type { IncomingMessage } from 'node:http';
import type { z } from 'zod';
import { CATALOGUE, type FaultCode, LegionError } from '../core/model/fault.ts';
import { decode } from '../domain/decode.ts';
import { parseJson } from '../lib/json.ts';
import { isRunning } from '../lib/process/proc-table.ts';
import type { DaemonFile } from '../protocol/daemon-file.ts';
import type { Endpoint, EndpointArguments } from '../protocol/endpoint.ts';
import { errorAnswer } from '../protocol/error-answer.ts';
import { toTarget } from '../protocol/request-target.ts';
import { verifySocket } from '../speech/trusted-socket.ts';
import { type DaemonAddress, readDaemonAddress } from './daemon-address.ts';

/** An import would also load what Node keeps for `fetch` and web sockets: four times as long, and 15 MB. */
const { request: httpRequest } = process.getBuiltinModule('node:http');

/** Longer than the slowest thing a daemon answers after, a forge read anew or a revert; a hung one must not hang a shell. */
const REQUEST_MS = 120_000;
/** The folded state of a large board; what is longer is no answer. */
const ANSWER_MOST_BYTES = 64 * 1_024 * 1_024;

type Method = Endpoint['method'];
type RequestEndpoint = Omit<Endpoint, 'response'>;

interface CallOptions {
  readonly timeoutMs?: number | undefined;
}

interface RequestOptions extends CallOptions {
  readonly body?: unknown;
  /** The request has left this process. */
  readonly onSent?: () => void;
}

interface EarlyRequest {
  readonly path: string;
  readonly query: Readonly<Record<string, string | undefined>>;
}

export interface DaemonClient {
  /** As it was at the first use, also after that daemon has ended. */
  readonly file: DaemonFile;
  /** As in `daemon.call(issueEndpoints.show, { params: { id } })`. */
  call<E extends RequestEndpoint, S extends z.ZodType>(
    endpoint: E & { readonly response: S },
    ...[request]: EndpointArguments<E, CallOptions>
  ): Promise<z.output<S>>;
  /**
   * Asks before the endpoint is loaded: `load` begins when the request has left, and its modules are evaluated while the daemon
   * works on its answer.
   */
  callEarly<E extends RequestEndpoint, S extends z.ZodType>(
    request: EarlyRequest,
    load: () => Promise<E & { readonly response: S }>,
  ): Promise<z.output<S>>;
  /** For what is not JSON. */
  text(path: string): Promise<string>;
  /** The answer as it comes in; it lasts until the daemon ends it or the signal is aborted. */
  open(path: string, signal: AbortSignal): Promise<IncomingMessage>;
}

/**
 * The address is read at the first use: a bad command line is reported before a missing daemon. It is read again for every
 * request, because a restarted daemon has a new token. `signal` ends what is under way.
 */
export function daemonClient(state: string, signal: AbortSignal, legion?: string): DaemonClient {
  let first: DaemonFile | undefined;
  const findDaemon = (): DaemonAddress => {
    const address = readDaemonAddress(state, legion);
    first ??= address.file;
    return address;
  };
  const exchange = async (
    method: Method,
    path: string,
    { body, timeoutMs = REQUEST_MS, onSent }: RequestOptions,
  ) => {
    const address = findDaemon();
    const bounded = AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]);
    try {
      const request = { method, path, body, onSent };
      return await wholeAnswer(await answerOf(address, request, bounded), method, path);
    } catch (error) {
      throw toCoded(error, { address, method, path, timeoutMs, signal });
    }
  };
  return {
    get file() {
      return first ?? findDaemon().file;
    },
    async call({ method, path, response }, ...[request]) {
      const { params, query, ...options } = request ?? {};
      const target = toTarget(path, params, query);
      return readAnswer(response, await exchange(method, target, options), `${method} ${target}`);
    },
    async callEarly({ path, query }, load) {
      const target = toTarget(path, undefined, query);
      const sent = Promise.withResolvers<void>();
      const [text, { response }] = await Promise.all([
        exchange('GET', target, { onSent: sent.resolve }).finally(sent.resolve),
        sent.promise.then(load),
      ]);
      return readAnswer(response, text, `GET ${target}`);
    },
    text: (path) => exchange('GET', path, {}),
    async open(path, until) {
      const address = findDaemon();
      try {
        const answer = await answerOf(address, { method: 'GET', path }, until);
        if (answer.statusCode !== 200) await wholeAnswer(answer, 'GET', path);
        return answer;
      } catch (error) {
        throw toCoded(error, { address, method: 'GET', path, timeoutMs: 0, signal: until });
      }
    },
  };
}

function readAnswer<S extends z.ZodType>(response: S, text: string, asked: string): z.output<S> {
  const decoded = decode(response, parseJson(text), 'answer');
  if (decoded.ok) return decoded.value;
  throw new LegionError('daemon.answer_unknown', `${asked}: ${decoded.fault.message}`);
}

interface SentRequest {
  readonly method: Method;
  readonly path: string;
  readonly body?: unknown;
  readonly onSent?: (() => void) | undefined;
}

async function answerOf(
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
    // No connection is kept: a command asks a few times and ends.
    const request = httpRequest({ socketPath: socket, path, method, headers, signal, agent: false });
    request.on('response', resolve);
    request.on('error', reject);
    if (onSent !== undefined) request.on('finish', onSent);
    request.end(content);
  });
}

async function wholeAnswer(answer: IncomingMessage, method: Method, path: string): Promise<string> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of answer) {
    chunks.push(chunk as Buffer);
    size += (chunk as Buffer).length;
    if (size > ANSWER_MOST_BYTES) {
      throw new LegionError(
        'daemon.answer_unknown',
        `${method} ${path} answered with more than ${ANSWER_MOST_BYTES} bytes`,
      );
    }
  }
  const text = Buffer.concat(chunks).toString();
  const status = answer.statusCode ?? 0;
  if (status >= 200 && status < 300) return text;
  throw refusal(status, text, method, path);
}

/** What the daemon says is wrong, under its own code. */
function refusal(status: number, text: string, method: Method, path: string): LegionError {
  const said = decode(errorAnswer, parseJson(text), 'answer');
  if (!said.ok)
    return new LegionError('daemon.answer_unknown', `${method} ${path} answered with status ${status}`);
  const { code, message, next } = said.value.error;
  if (Object.hasOwn(CATALOGUE, code)) return new LegionError(code as FaultCode, message);
  return new LegionError('daemon.answer_unknown', `${message} [${code}] ${next}`);
}

interface Failed {
  readonly address: DaemonAddress;
  readonly method: Method;
  readonly path: string;
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
}

function toCoded(error: unknown, { address, method, path, timeoutMs, signal }: Failed): unknown {
  const { socket } = address;
  const { legion, pid } = address.file;
  if (error instanceof LegionError) return error;
  // An interrupted answer fails in many ways; all of them mean the same.
  if (signal.aborted) return signal.reason;
  const { code, name, message } = error as NodeJS.ErrnoException;
  if (name === 'AbortError' || name === 'TimeoutError') {
    const says = `${method} ${path} was not answered within ${timeoutMs / 1_000} s on ${socket} (pid ${pid})`;
    return new LegionError('daemon.unreachable', says, { cause: error });
  }
  // A daemon that was killed leaves its socket behind; one that is ending has removed it already.
  if ((code === 'ECONNREFUSED' || code === 'ENOENT') && !isRunning(pid)) {
    const says = `${legion} is not running: its daemon (pid ${pid}) is gone`;
    return new LegionError('daemon.not_running', says, { cause: error });
  }
  // Something else removed it, such as the end of a login session that owned the runtime folder.
  const problem =
    code === 'ENOENT' ? `its socket is gone; end it with \`kill ${pid}\`, then run \`legion up\`` : message;
  return new LegionError('daemon.unreachable', `${socket} (pid ${pid}): ${problem}`, { cause: error });
}
