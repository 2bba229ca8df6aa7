/**
 * Decides what follows a confirmed crash: stop the remaining processes, wait, pause, resume or
 * start fresh. The worker's slot is already free.
 */

import { describeDuration } from '../model/format.ts';
import type { FailedAttempt } from '../model/lifecycle.ts';
import type { HealthExplanation } from './explanation.ts';
import { type HealthLimits, resolveHealthLimits } from './limits.ts';

export interface CrashFacts {
  readonly attempt: number;
  /** Attempts that ended in a confirmed crash since a person last reset the count, latest last. */
  readonly failedAttempts: readonly FailedAttempt[];
  /** Result of the stop ladder. A `zombie` is recorded and left to the cleanup. */
  readonly remains: 'none' | 'alive' | 'zombie';
  readonly isBreakerOpen: boolean;
  /** `dead`: the session's last output was empty, so there is nothing to continue from. */
  readonly session: 'resumable' | 'dead';
  readonly hasCheckpoint: boolean;
}

export interface RespawnStep extends HealthExplanation {
  readonly step: 'stop_remains' | 'wait' | 'pause_and_escalate' | 'resume' | 'start_fresh';
}

export function decideRespawnStep(
  facts: CrashFacts,
  now: number,
  overrides: Partial<HealthLimits>,
): RespawnStep {
  const limits = resolveHealthLimits(overrides);
  const evidence = [
    `crashes=${facts.failedAttempts.length}`,
    `attempt=${facts.attempt}`,
    `remains=${facts.remains}`,
    `session=${facts.session}`,
    `checkpoint=${facts.hasCheckpoint ? 'yes' : 'no'}`,
    `breaker=${facts.isBreakerOpen ? 'open' : 'closed'}`,
  ];
  const answer = (
    step: RespawnStep['step'],
    why: string,
    wouldChange: string,
    lookAgainAt = now + limits.heartbeat,
  ): RespawnStep => ({ step, why, evidence, wouldChange, until: RESPAWN_ENDS[step], lookAgainAt });

  if (facts.remains === 'alive')
    return answer('stop_remains', 'Its process is still running.', 'The stop finishes.');

  const tooOften = explainCrashLimit(facts.failedAttempts, now, limits);
  if (tooOften !== undefined)
    return answer('pause_and_escalate', tooOften, 'A person resets the crash count.');
  if (facts.isBreakerOpen)
    return answer('wait', 'The breaker is open: too many workers crashed at once.', 'The breaker closes.');
  const due = computeRespawnTime(facts.failedAttempts, now, limits);
  if (now < due)
    return answer(
      'wait',
      `It crashed just now; the backoff ends in ${describeDuration(due - now)}.`,
      'The backoff ends.',
      due,
    );
  if (facts.session === 'resumable')
    return answer(
      'resume',
      'Its session may still exist, with all its context.',
      'If resuming fails, a fresh session starts.',
    );
  const basis = facts.hasCheckpoint ? 'its checkpoint in the prompt' : 'no checkpoint';
  return answer(
    'start_fresh',
    `Its session cannot be resumed; a new one starts with ${basis}.`,
    'The new attempt starts working.',
  );
}

const RESPAWN_ENDS = {
  stop_remains: 'event',
  wait: 'time',
  pause_and_escalate: 'person',
  resume: 'event',
  start_fresh: 'event',
} as const;

/** An unreadable count pauses the worker, because a crash loop costs more than asking a person. */
function explainCrashLimit(
  crashes: readonly FailedAttempt[],
  now: number,
  limits: HealthLimits,
): string | undefined {
  if (!(crashes.length <= limits.respawns))
    return `It crashed ${formatTimes(crashes.length)}; Legion restarts it at most ${formatTimes(limits.respawns)}.`;
  const recent = crashes.filter(({ crashedAt }) => now - crashedAt <= limits.loopWindow).length;
  if (recent < limits.loopCrashes) return undefined;
  return `It crashed ${formatTimes(recent)} within ${describeDuration(limits.loopWindow)}.`;
}

function formatTimes(count: number): string {
  return count === 1 ? 'once' : `${count} times`;
}

/**
 * An unreadable or future crash time causes no backoff, because the crash limit ends a loop anyway.
 */
function computeRespawnTime(crashes: readonly FailedAttempt[], now: number, limits: HealthLimits): number {
  const crashedAt = crashes.at(-1)?.crashedAt ?? Number.NaN;
  return crashedAt <= now ? crashedAt + computeCrashBackoff(crashes, limits) : now;
}

/**
 * Computes the wait before a crashed worker is restarted: 10, 20, 40, 80, 160, 300, 300 … s by
 * default. `crashes` are in order, latest last. The series starts over with an attempt that ran for
 * a long time.
 */
function computeCrashBackoff(crashes: readonly FailedAttempt[], limits: HealthLimits): number {
  let inRow = 0;
  for (const crash of crashes.toReversed()) {
    // An attempt with unreadable times counts as short, because the longer wait does no harm.
    if (crash.crashedAt - crash.startedAt >= limits.backoffReset) break;
    inRow += 1;
  }
  return Math.min(limits.backoffFirst * 2 ** Math.max(0, inRow - 1), limits.backoffMost);
}
