/** Whether a worker whose last life failed may start again, by the rules of health. */

import type { WorkerRecord } from '../core/state/state.ts';
import type { HealthLimits } from '../health/limits.ts';
import { type CrashFacts, type Respawn, respawn } from '../health/respawn.ts';

/** Undefined where the last life did not fail: then nothing of this concerns it. */
export function restartOf(
  worker: WorkerRecord | undefined,
  breakerOpen: boolean,
  now: number,
  limits: Partial<HealthLimits>,
): Respawn | undefined {
  if (worker === undefined || !hasFailed(worker)) return undefined;
  const facts: CrashFacts = {
    attempt: worker.attempt,
    lives: worker.failedLives,
    remains: remainsOf(worker),
    isBreakerOpen: breakerOpen,
    session: worker.sessionLost === true ? 'dead' : 'resumable',
    hasCheckpoint: worker.checkpoint !== undefined,
  };
  return respawn(facts, now, limits);
}

/** The version of its session the next attempt has: another one where there is nothing to go on with. */
export function nextVersion(worker: WorkerRecord | undefined, agent?: string): number {
  return (worker?.version ?? 0) + (beginsAnew(worker, agent) ? 1 : 0);
}

/** Its session is lost, or is another agent's: one cannot go on with what the other has written. */
export function beginsAnew(worker: WorkerRecord | undefined, agent?: string): boolean {
  if (worker === undefined) return false;
  const isOthers = agent !== undefined && worker.agent !== undefined && worker.agent !== agent;
  return worker.sessionLost === true || isOthers;
}

/** Its latest life is the latest failed one. */
export function hasFailed({ facts, failedLives }: WorkerRecord): boolean {
  return failedLives.at(-1)?.startedAt === facts.dispatchedAt && facts.acceptedAt === undefined;
}

/** A process that was seen to start counts as there until its exit was seen, or it was given up as a zombie. */
function remainsOf({ process, exit, zombie }: WorkerRecord): CrashFacts['remains'] {
  if (process === undefined || exit !== undefined) return 'none';
  return zombie === true ? 'zombie' : 'alive';
}
