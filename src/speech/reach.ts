/** Brings a message to the daemon, with a few quick tries while it restarts. */
import { setTimeout as wait } from 'node:timers/promises';
import { LegionError } from '../domain/fault.ts';
import type { WorkerEnvironment } from '../protocol/worker-environment.ts';
import { findDaemon, isGone } from './find-daemon.ts';
import { type Answer, type Letter, post } from './post.ts';
import { isRefusal, readRefusal } from './read-answer.ts';

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
  const found = await findDaemon(environment.LEGION_STATE);
  if (!found.found) return { away: true, why: found.why };
  const { url, pid } = found.daemon;
  const patience = AbortSignal.timeout(message.patienceMs);
  const letter: Letter = {
    url: `${url.replace(/\/$/, '')}/worker/${message.verb}`,
    token: environment.LEGION_WORKER_TOKEN,
    id: message.id,
    body: message.body,
  };
  try {
    const answer = await post(letter, stop === undefined ? patience : AbortSignal.any([patience, stop]));
    return isRefusal(answer) ? refused(answer, url, pid) : { away: false, answer };
  } catch (error) {
    if (error instanceof LegionError) throw error;
    // Somebody else would have to wait as long once more: not in the few seconds a worker has.
    if (patience.aborted) return { away: true, why: `${url}: no answer within its time`, final: true };
    if (stop?.aborted === true)
      return { away: true, why: 'stopped while waiting for the daemon', final: true };
    return { away: true, why: `${url}: ${error instanceof Error ? error.message : String(error)}` };
  }
}

/**
 * The address of a daemon that was killed may by now be somebody else's, who does not know our token or speaks another
 * language altogether: a refusal of that kind counts only while the daemon that wrote the address is alive.
 */
function refused(answer: Answer, url: string, pid: number): Tried {
  const refusal = readRefusal(answer);
  if (refusal.code === 'daemon.stopping') return { away: true, why: `${url}: the daemon is stopping` };
  const isForeign = refusal.code === 'http.unauthorised' || refusal.code === 'daemon.defect';
  if (isForeign && isGone(pid)) return { away: true, why: `${url}: somebody else answers there now` };
  throw refusal;
}
