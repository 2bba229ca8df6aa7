/** Many deaths at once are the host's fault, not the workers': the breaker stops spawning until the host is checked. */
import type { Explanation } from '../../health/judgement.ts';
import { type HealthLimits, healthLimits } from '../../health/limits.ts';
import { inWords } from '../../health/words.ts';

export interface Crash {
  readonly worker: string;
  readonly attempt: number;
  readonly at: number;
}

interface HostChecks {
  readonly at: number;
  readonly disk: Check;
  readonly memory: Check;
  readonly credentials: Check;
}

/** `unavailable`: the check could not run, which is neither. */
export type Check = 'ok' | 'bad' | 'unavailable';

/**
 * - `closed` spawns are allowed; opens by too many crashes at once.
 * - `open`   nothing is spawned; closes when the host's checks pass after a quiet time, or when a person closes it.
 */
export type BreakerState =
  | { readonly state: 'closed'; readonly closedAt?: number }
  | {
      readonly state: 'open';
      readonly since: number;
      readonly isAlerted: boolean;
      readonly checks?: HostChecks;
    };

export interface BreakerStep extends Explanation {
  readonly step: 'allow_spawns' | 'open' | 'check_host' | 'alert' | 'hold' | 'close';
}

export function breaker(
  state: BreakerState,
  crashes: readonly Crash[],
  now: number,
  given: Partial<HealthLimits>,
): BreakerStep {
  const limits = healthLimits(given);
  return state.state === 'closed'
    ? whileClosed(state, crashes, now, limits)
    : whileOpen(state, crashes, now, limits);
}

function whileClosed(
  { closedAt = Number.NEGATIVE_INFINITY }: BreakerState & { state: 'closed' },
  crashes: readonly Crash[],
  now: number,
  limits: HealthLimits,
): BreakerStep {
  // Older ones are history, and those before the last closing were answered by it.
  const recent = distinct(crashes).filter(
    ({ at }) => at > closedAt && at <= now && now - at <= limits.breakerQuiet,
  );
  const most = mostWithin(recent, limits.breakerWindow);
  const evidence = [`crashes_at_once=${most}`, `limit=${limits.breakerCrashes}`];
  const within = inWords(limits.breakerWindow);
  if (limits.breakerCrashes > 0 && most >= limits.breakerCrashes) {
    return {
      step: 'open',
      why: `${most} workers crashed within ${within}: the cause is likely the host, not the workers.`,
      evidence,
      wouldChange: 'Host checks that pass and a quiet time after them, or a person who closes the breaker.',
      until: 'event',
      lookAgainAt: now + limits.afterStep,
    };
  }
  return {
    step: 'allow_spawns',
    why: `At most ${most} workers crashed within ${within} of each other.`,
    evidence,
    wouldChange: `${limits.breakerCrashes} crashes within ${within}.`,
    until: 'event',
  };
}

function whileOpen(
  { since, isAlerted, checks }: BreakerState & { state: 'open' },
  crashes: readonly Crash[],
  now: number,
  limits: HealthLimits,
): BreakerStep {
  const evidence = [
    `open=${inWords(now - since)}`,
    ...(checks ? CHECKED.map((name) => `${name}=${checks[name]}`) : ['checks=none']),
  ];
  const answer = (
    step: BreakerStep['step'],
    why: string,
    wouldChange: string,
    inMs = limits.heartbeat,
  ): BreakerStep => {
    // A breaker that holds can always be closed by a person, whatever else it waits for.
    const until = step === 'hold' ? 'person' : 'event';
    return { step, why, evidence, wouldChange, until, lookAgainAt: now + inMs };
  };
  const isFresh = checks !== undefined && checks.at >= since && now - checks.at < limits.heartbeat;
  // The checks come before the one alert, so that the alert can say what they found.
  if (checks === undefined || !(checks.at >= since) || (isAlerted && !isFresh))
    return answer(
      'check_host',
      'The host must be checked before anything is spawned on it.',
      'The checks having run.',
      limits.afterStep,
    );
  const failing = CHECKED.filter((name) => checks[name] !== 'ok');
  const found = failing.length === 0 ? 'the host checks pass' : `not in order: ${failing.join(', ')}`;
  if (!isAlerted)
    return answer(
      'alert',
      `Too many workers crashed at once; ${found}.`,
      'The alert being sent, once.',
      limits.afterStep,
    );
  if (failing.length > 0)
    return answer(
      'hold',
      `The breaker stays open; ${found}.`,
      `Checks that pass, tried again every ${inWords(limits.heartbeat)}, or a person.`,
    );
  const quiet = now - crashes.reduce((last, { at }) => (at <= now && at > last ? at : last), since);
  if (quiet >= limits.breakerQuiet)
    return answer('close', `The host checks pass and nobody crashed for ${inWords(quiet)}.`, 'New crashes.');
  return answer(
    'hold',
    'The host checks pass; a quiet time has to follow.',
    `It closes after ${inWords(limits.breakerQuiet)} without a crash, or by a person.`,
  );
}

const CHECKED = ['disk', 'memory', 'credentials'] as const;

/** Two observers of one death are one crash. */
function distinct(crashes: readonly Crash[]): Crash[] {
  return [...new Map(crashes.map((crash) => [`${crash.worker}:${crash.attempt}`, crash])).values()];
}

/** The most crashes that fit into one window. */
function mostWithin(crashes: readonly Crash[], window: number): number {
  const times = crashes.map(({ at }) => at).sort((a, b) => a - b);
  let first = 0;
  let most = 0;
  times.forEach((at, index) => {
    while (at - (times[first] ?? at) > window) first += 1;
    most = Math.max(most, index - first + 1);
  });
  return most;
}
