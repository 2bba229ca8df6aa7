/**
 * Stops starting workers after many crashes at once, because the host is then the likely cause.
 * Starts resume when the host checks pass or a person closes the breaker.
 */

import { describeDuration } from '../model/format.ts';
import type { HealthExplanation } from './explanation.ts';
import { type HealthLimits, resolveHealthLimits } from './limits.ts';

export interface WorkerCrash {
  readonly worker: string;
  readonly attempt: number;
  readonly at: number;
}

interface HostCheckResults {
  readonly at: number;
  readonly disk: HostCheckResult;
  readonly memory: HostCheckResult;
  readonly credentials: HostCheckResult;
}

/** `unavailable`: the check could not run, so it neither passed nor failed. */
export type HostCheckResult = 'ok' | 'bad' | 'unavailable';

/**
 * - `closed`: workers may start. The breaker opens after too many crashes at once.
 * - `open`: no worker starts. The breaker closes after a quiet period in which the host checks
 *   pass, or when a person closes it.
 */
export type BreakerState =
  | { readonly state: 'closed'; readonly closedAt?: number }
  | {
      readonly state: 'open';
      readonly since: number;
      readonly isAlerted: boolean;
      readonly checks?: HostCheckResults;
    };

export interface BreakerStep extends HealthExplanation {
  readonly step: 'allow_spawns' | 'open' | 'check_host' | 'alert' | 'hold' | 'close';
}

export function decideBreakerStep(
  state: BreakerState,
  crashes: readonly WorkerCrash[],
  now: number,
  overrides: Partial<HealthLimits>,
): BreakerStep {
  const limits = resolveHealthLimits(overrides);
  return state.state === 'closed'
    ? decideWhileClosed(state, crashes, now, limits)
    : decideWhileOpen(state, crashes, now, limits);
}

function decideWhileClosed(
  { closedAt = Number.NEGATIVE_INFINITY }: BreakerState & { state: 'closed' },
  crashes: readonly WorkerCrash[],
  now: number,
  limits: HealthLimits,
): BreakerStep {
  // Ignores crashes that are too old or happened before the breaker was last closed.
  const recent = filterDistinctCrashes(crashes).filter(
    ({ at }) => at > closedAt && at <= now && now - at <= limits.breakerQuiet,
  );
  const most = countPeakCrashes(recent, limits.breakerWindow);
  const evidence = [`crashes_at_once=${most}`, `limit=${limits.breakerCrashes}`];
  const within = describeDuration(limits.breakerWindow);
  if (limits.breakerCrashes > 0 && most >= limits.breakerCrashes) {
    return {
      step: 'open',
      why: `${most} workers crashed within ${within}: the cause is likely the host, not the workers.`,
      evidence,
      wouldChange: 'The host checks pass and a quiet period follows, or a person closes the breaker.',
      until: 'event',
      lookAgainAt: now + limits.afterStep,
    };
  }
  return {
    step: 'allow_spawns',
    why: `At most ${most} workers crashed within ${within} of each other.`,
    evidence,
    wouldChange: `${limits.breakerCrashes} crashes within ${within} would open the breaker.`,
    until: 'event',
  };
}

function decideWhileOpen(
  { since, isAlerted, checks }: BreakerState & { state: 'open' },
  crashes: readonly WorkerCrash[],
  now: number,
  limits: HealthLimits,
): BreakerStep {
  const evidence = [
    `open=${describeDuration(now - since)}`,
    ...(checks ? HOST_CHECKS.map((name) => `${name}=${checks[name]}`) : ['checks=none']),
  ];
  const answer = (
    step: BreakerStep['step'],
    why: string,
    wouldChange: string,
    inMs = limits.heartbeat,
  ): BreakerStep => {
    // A person can always close an open breaker, even if passing host checks would close it too.
    const until = step === 'hold' ? 'person' : 'event';
    return { step, why, evidence, wouldChange, until, lookAgainAt: now + inMs };
  };
  const isFresh = checks !== undefined && checks.at >= since && now - checks.at < limits.heartbeat;
  // There is only one alert. The checks run before it, so that it can include their results.
  if (checks === undefined || !(checks.at >= since) || (isAlerted && !isFresh))
    return answer(
      'check_host',
      'The host must be checked before any worker starts on it.',
      'The host checks finish.',
      limits.afterStep,
    );
  const failing = HOST_CHECKS.filter((name) => checks[name] !== 'ok');
  const checksSummary =
    failing.length === 0 ? 'the host checks pass' : `failing host checks: ${failing.join(', ')}`;
  if (!isAlerted)
    return answer(
      'alert',
      `Too many workers crashed at once; ${checksSummary}.`,
      'The alert is sent only once.',
      limits.afterStep,
    );
  if (failing.length > 0)
    return answer(
      'hold',
      `The breaker stays open; ${checksSummary}.`,
      `The host checks, repeated every ${describeDuration(limits.heartbeat)}, pass, or a person closes the breaker.`,
    );
  const quiet = now - crashes.reduce((last, { at }) => (at <= now && at > last ? at : last), since);
  if (quiet >= limits.breakerQuiet)
    return answer(
      'close',
      `The host checks pass and no worker has crashed for ${describeDuration(quiet)}.`,
      'New crashes.',
    );
  return answer(
    'hold',
    'The host checks pass; a quiet period must follow.',
    `It closes after ${describeDuration(limits.breakerQuiet)} without a crash, or when a person closes it.`,
  );
}

const HOST_CHECKS = ['disk', 'memory', 'credentials'] as const;

/** Counts each crash once, even if two observers reported it. */
function filterDistinctCrashes(crashes: readonly WorkerCrash[]): WorkerCrash[] {
  return [...new Map(crashes.map((crash) => [`${crash.worker}:${crash.attempt}`, crash])).values()];
}

/** Returns the highest number of crashes within one window. */
function countPeakCrashes(crashes: readonly WorkerCrash[], window: number): number {
  const times = crashes.map(({ at }) => at).sort((a, b) => a - b);
  let first = 0;
  let most = 0;
  times.forEach((at, index) => {
    while (at - (times[first] ?? at) > window) first += 1;
    most = Math.max(most, index - first + 1);
  });
  return most;
}
