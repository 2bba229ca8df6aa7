/** Brings a message to the daemon, with a few quick tries while it restarts. */
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { LegionError } from '../core/model/fault.ts';
import { decodeJson } from '../domain/decode.ts';
import { readBounded } from '../lib/fs/read-bounded.ts';
import { DAEMON_FILE, daemonFileSchema } from '../protocol/daemon-file.ts';
import type { WorkerEnvironment } from '../protocol/worker-environment.ts';
import { type Answer, type Letter, post } from '../speech/post.ts';
import { isRefusal, readRefusal } from '../speech/read-answer.ts';

/** Milliseconds between the tries, two seconds in all: longer than a daemon needs to restart, shorter than anyone minds. */
const WAITS_MS: readonly number[] = [100, 300, 600, 1_000];

export interface Message {
  readonly id: string;
  readonly verb: string;
  readonly body: string;
  /** How long to wait for one answer. */
  readonly patienceMs: number;
}

export type Reached =
  | { readonly away: false; readonly answer: Answer }
  | { readonly away: true; readonly why: string };

type Tried = Reached | { readonly away: true; readonly why: string; readonly final: true };

/** Rejects with the daemon's fault where it refuses; only a daemon that was not there is `away`. */
export async function reach(
  environment: WorkerEnvironment,
  message: Message,
  stop: AbortSignal | undefined,
): Promise<Reached> {
  for (const pause of WAITS_MS) {
    const tried = await tryOnce(environment, message, stop);
    if (!tried.away || 'final' in tried) return tried;
    // A stop ends the waiting early; the next try then says so.
    await wait(pause, undefined, { signal: stop }).catch(() => undefined);
  }
  return tryOnce(environment, message, stop);
}

async function tryOnce(
  environment: WorkerEnvironment,
  message: Message,
  stop: AbortSignal | undefined,
): Promise<Tried> {
  const found = await findSocket(environment);
  if (!found.found) return { away: true, why: found.why };
  const { socket } = found;
  const patience = AbortSignal.timeout(message.patienceMs);
  const letter: Letter = {
    socket,
    path: `/worker/${message.verb}`,
    token: environment.LEGION_WORKER_TOKEN,
    id: message.id,
    body: message.body,
  };
  try {
    const answer = await post(letter, stop === undefined ? patience : AbortSignal.any([patience, stop]));
    return isRefusal(answer) ? refused(answer, socket) : { away: false, answer };
  } catch (error) {
    // Nothing was sent. A report is kept for a daemon that can be trusted; another try would find the same.
    if (error instanceof LegionError && error.code === 'daemon.socket_untrusted')
      return { away: true, why: `${error.message}; nothing was sent`, final: true };
    if (error instanceof LegionError) throw error;
    // Somebody else would have to wait as long once more: not in the few seconds a worker has.
    if (patience.aborted) return { away: true, why: `${socket}: no answer within its time`, final: true };
    if (stop?.aborted === true)
      return { away: true, why: 'stopped while waiting for the daemon', final: true };
    return { away: true, why: connectionProblem(error as NodeJS.ErrnoException, socket) };
  }
}

function connectionProblem({ code, message }: NodeJS.ErrnoException, socket: string): string {
  const isAbsent = code === 'ENOENT' || code === 'ECONNREFUSED';
  return isAbsent ? `no daemon listens on ${socket}` : `${socket}: ${message}`;
}

function refused(answer: Answer, socket: string): Tried {
  const refusal = readRefusal(answer);
  if (refusal.code === 'daemon.stopping') return { away: true, why: `${socket}: the daemon is stopping` };
  throw refusal;
}

/** Bytes. The file has six short fields; a longer one is not the daemon's. */
const FILE_MOST_BYTES = 16_384;

type FoundSocket =
  | { readonly found: true; readonly socket: string }
  | { readonly found: false; readonly why: string };

/**
 * Reads `daemon.json` at each call, because a restarted daemon may have another socket. Where the file cannot be read, the
 * socket that the worker was started with is worth a try.
 */
async function findSocket({
  LEGION_STATE,
  LEGION_SOCKET,
}: Pick<WorkerEnvironment, 'LEGION_STATE' | 'LEGION_SOCKET'>): Promise<FoundSocket> {
  const announced = announcedSocket(join(LEGION_STATE, DAEMON_FILE));
  if (announced.found || LEGION_SOCKET === undefined) return announced;
  return { found: true, socket: LEGION_SOCKET };
}

function announcedSocket(path: string): FoundSocket {
  const text = readText(path);
  if (typeof text !== 'string') return { found: false, why: text.why };
  const daemon = decodeJson(daemonFileSchema, text, path);
  if (!daemon.ok) return { found: false, why: daemon.fault.message };
  const { socket } = daemon.value;
  if (socket === undefined)
    return { found: false, why: `${path}: the daemon of an older Legion has no socket` };
  return { found: true, socket };
}

function readText(path: string): string | { readonly why: string } {
  try {
    const bytes = readBounded(path, FILE_MOST_BYTES, 'links');
    return typeof bytes === 'string'
      ? { why: `${path}: is ${bytes === 'folder' ? 'a folder' : bytes}` }
      : bytes.toString();
  } catch (error) {
    const isAbsent = (error as NodeJS.ErrnoException).code === 'ENOENT';
    if (isAbsent) return { why: `no daemon leads this legion: ${path} is not there` };
    return { why: `${path}: ${error instanceof Error ? error.message : String(error)}` };
  }
}
