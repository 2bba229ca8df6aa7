/** Delivers a message to the daemon, with a few quick retries while it restarts. */
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { decodeJson } from '../core/model/decode.ts';
import { LegionError } from '../core/model/fault.ts';
import { readBounded } from '../lib/fs/read-bounded.ts';
import { DAEMON_FILE, daemonFileSchema } from '../protocol/state-files.ts';
import type { WorkerEnvironment } from '../protocol/worker-environment.ts';
import { type DaemonResponse, isRefusal, readRefusal, sendVerbRequest, type VerbRequest } from './post.ts';

/**
 * Milliseconds between tries. They add up to two seconds: longer than a daemon restart, short
 * enough not to matter.
 */
const RETRY_DELAYS_MS: readonly number[] = [100, 300, 600, 1_000];

export interface VerbMessage {
  readonly id: string;
  readonly verb: string;
  readonly body: string;
  /** Maximum time to wait for one response. */
  readonly patienceMs: number;
}

export type DeliveryResult =
  | { readonly away: false; readonly answer: DaemonResponse }
  | { readonly away: true; readonly why: string };

type DeliveryTry = DeliveryResult | { readonly away: true; readonly why: string; readonly final: true };

/**
 * Resolves to `away` only if the daemon is unreachable. If the daemon refuses the message, rejects
 * with the daemon's fault.
 */
export async function deliverVerb(
  environment: WorkerEnvironment,
  message: VerbMessage,
  stop: AbortSignal | undefined,
): Promise<DeliveryResult> {
  for (const pause of RETRY_DELAYS_MS) {
    const result = await tryDelivery(environment, message, stop);
    if (!result.away || 'final' in result) return result;
    // Aborting `stop` ends the wait early; the next try then reports the abort.
    await wait(pause, undefined, { signal: stop }).catch(() => undefined);
  }
  return tryDelivery(environment, message, stop);
}

async function tryDelivery(
  environment: WorkerEnvironment,
  message: VerbMessage,
  stop: AbortSignal | undefined,
): Promise<DeliveryTry> {
  const lookup = await findSocket(environment);
  if (!lookup.isFound) return { away: true, why: lookup.why };
  const { socket } = lookup;
  const timeout = AbortSignal.timeout(message.patienceMs);
  const request: VerbRequest = {
    socket,
    path: `/worker/${message.verb}`,
    token: environment.LEGION_WORKER_TOKEN,
    id: message.id,
    body: message.body,
  };
  try {
    const answer = await sendVerbRequest(
      request,
      stop === undefined ? timeout : AbortSignal.any([timeout, stop]),
    );
    return isRefusal(answer) ? handleRefusal(answer, socket) : { away: false, answer };
  } catch (error) {
    // Nothing was sent, and another try would have the same result. The report is kept until a
    // trusted daemon is running.
    if (error instanceof LegionError && error.code === 'daemon.socket_untrusted')
      return { away: true, why: `${error.message}; nothing was sent`, final: true };
    if (error instanceof LegionError) throw error;
    // A timeout is final, because another try would wait just as long, and a worker has only
    // seconds.
    if (timeout.aborted) return { away: true, why: `${socket}: no response in time`, final: true };
    if (stop?.aborted === true)
      return { away: true, why: 'stopped while waiting for the daemon', final: true };
    return { away: true, why: describeConnectionProblem(error as NodeJS.ErrnoException, socket) };
  }
}

function describeConnectionProblem({ code, message }: NodeJS.ErrnoException, socket: string): string {
  const isAbsent = code === 'ENOENT' || code === 'ECONNREFUSED';
  return isAbsent ? `no daemon is listening on ${socket}` : `${socket}: ${message}`;
}

function handleRefusal(answer: DaemonResponse, socket: string): DeliveryTry {
  const refusal = readRefusal(answer);
  if (refusal.code === 'daemon.stopping') return { away: true, why: `${socket}: the daemon is stopping` };
  throw refusal;
}

/** Maximum size in bytes. The file has six short fields, so a longer file is not the daemon's. */
const MAX_DAEMON_FILE_BYTES = 16_384;

type SocketLookup =
  | { readonly isFound: true; readonly socket: string }
  | { readonly isFound: false; readonly why: string };

/**
 * Reads `daemon.json` on each call, because a restarted daemon may have another socket. If the file
 * cannot be read, tries the socket the worker was started with.
 */
async function findSocket({
  LEGION_STATE,
  LEGION_SOCKET,
}: Pick<WorkerEnvironment, 'LEGION_STATE' | 'LEGION_SOCKET'>): Promise<SocketLookup> {
  const announced = readAnnouncedSocket(join(LEGION_STATE, DAEMON_FILE));
  if (announced.isFound || LEGION_SOCKET === undefined) return announced;
  return { isFound: true, socket: LEGION_SOCKET };
}

function readAnnouncedSocket(path: string): SocketLookup {
  const text = readDaemonFile(path);
  if (typeof text !== 'string') return { isFound: false, why: text.why };
  const daemon = decodeJson(daemonFileSchema, text, path);
  if (!daemon.ok) return { isFound: false, why: daemon.fault.message };
  const { socket } = daemon.value;
  if (socket === undefined)
    return { isFound: false, why: `${path}: the daemon of an older Legion has no socket` };
  return { isFound: true, socket };
}

function readDaemonFile(path: string): string | { readonly why: string } {
  try {
    const bytes = readBounded(path, MAX_DAEMON_FILE_BYTES, 'links');
    return typeof bytes === 'string'
      ? { why: `${path}: is ${bytes === 'folder' ? 'a directory' : bytes}` }
      : bytes.toString();
  } catch (error) {
    const isAbsent = (error as NodeJS.ErrnoException).code === 'ENOENT';
    if (isAbsent) return { why: `no daemon leads this legion: ${path} does not exist` };
    return { why: `${path}: ${error instanceof Error ? error.message : String(error)}` };
  }
}
