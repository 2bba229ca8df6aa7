/**
 * Checks whether the times in the evidence can be trusted, because a clock jump must never look
 * like a crash. Also determines how long the daemon has been monitoring without a gap.
 */

import { describeDuration } from '../model/format.ts';
import type { HealthEvidence } from './evidence.ts';
import type { HealthContext, HealthFinding } from './judgement.ts';
import { type HealthLimits, resolveHealthLimits } from './limits.ts';

type NamedNumber = readonly [name: string, value: number];

/**
 * Returns a finding if a number in the evidence is unusable, or undefined if all are plausible
 * within the allowed clock skew.
 */
export function findClockProblem({ evidence, now, limits }: HealthContext): HealthFinding | undefined {
  const times = listTimes(evidence);
  const wrong = listAmounts(evidence).find(isInvalidAmount) ?? times.find(isInvalidAmount);
  if (wrong !== undefined) return createCorruptFinding(wrong);
  let furthest: NamedNumber | undefined;
  for (const time of times) {
    if (time[1] - now > limits.clockSkew && !(furthest && furthest[1] >= time[1])) furthest = time;
  }
  if (furthest === undefined) return undefined;
  // A time more than a day ahead was never valid. A time less than a day ahead means that the clock
  // was set back; it becomes valid again once the clock has caught up.
  return furthest[1] - now > limits.remind
    ? createCorruptFinding(furthest)
    : createClockAheadFinding(furthest, now, limits.heartbeat);
}

/**
 * Returns whether any time in the evidence is in the future, even by a millisecond. If so, no
 * running process may be stopped.
 */
export function hasFutureTime({ evidence, now }: HealthContext): boolean {
  return listTimes(evidence).some(([, time]) => !(time <= now));
}

function isInvalidAmount([, value]: NamedNumber): boolean {
  return !Number.isFinite(value) || value < 0;
}

function createCorruptFinding([name, value]: NamedNumber): HealthFinding {
  return {
    verdict: 'corrupt',
    next: 'report_corruption',
    why: `${name} is ${value}, which is not valid.`,
    wouldChange: `Once the value is valid, the attempt is judged as usual. Until then, a person is notified and nothing is stopped.`,
    until: 'person',
  };
}

function createClockAheadFinding([name, time]: NamedNumber, now: number, heartbeat: number): HealthFinding {
  const lead = time - now;
  return {
    verdict: 'unknown',
    next: 'leave_alone',
    why: `${name} is ${describeDuration(lead)} ahead of the clock: the clock has jumped, so silence cannot be measured.`,
    wouldChange: `Once the clock has passed that time, in ${describeDuration(lead)}, the attempt is judged as usual.`,
    until: 'time',
    lookAgainAt: now + Math.min(lead, heartbeat),
  };
}

/** Lists all times that must be in the past. The provider's reset time need not be. */
function listTimes(evidence: HealthEvidence): NamedNumber[] {
  const { process, agent, tool, children, sessionFile, report, checkpoint, rateLimit } = evidence;
  const { suspicion, personToldAt } = evidence;
  const times: NamedNumber[] = [
    ['The time of its state change', evidence.stateSince],
    ['Its dispatch time', evidence.spawnedAt],
    ['The start of monitoring', evidence.watchingSince],
  ];
  if (process !== 'unavailable' && process.state === 'gone')
    times.push(['The exit time of its process', process.since]);
  if (agent !== 'unavailable' && agent.kind !== 'none')
    times.push(['The time of its last agent event', agent.at]);
  if (typeof tool === 'object') times.push(['The start time of its tool', tool.since]);
  if (children !== 'unavailable' && children.newestAt !== 'none')
    times.push(['The start time of its newest child process', children.newestAt]);
  if (typeof sessionFile === 'object') times.push(['The time of its session file', sessionFile.at]);
  if (typeof report === 'object') times.push(['The time of its report', report.since]);
  if (typeof checkpoint === 'object') times.push(['The time of its checkpoint', checkpoint.at]);
  if (typeof rateLimit === 'object') times.push(['The time of its rate limit', rateLimit.seenAt]);
  if (personToldAt !== 'never') times.push(['The time a person was notified', personToldAt]);
  if (suspicion.flagged) {
    times.push(['The time it was flagged', suspicion.since]);
    if (suspicion.probe.state !== 'not_sent') times.push(['The time of the probe', suspicion.probe.at]);
  } else if (suspicion.clearedAt !== undefined) {
    times.push(['The time its flag was cleared', suspicion.clearedAt]);
  }
  return times;
}

function listAmounts({ cpu, children, questionsAsked, suspicion }: HealthEvidence): NamedNumber[] {
  const amounts: NamedNumber[] = [['The number of questions asked', questionsAsked]];
  if (cpu !== 'unavailable') amounts.push(['Its CPU time', cpu.usedMs]);
  if (children !== 'unavailable') amounts.push(['The number of its child processes', children.count]);
  if (suspicion.flagged && suspicion.cpuMs !== 'unavailable')
    amounts.push(['Its CPU time when it was flagged', suspicion.cpuMs]);
  return amounts;
}

/** Returns whether a number can be a time. Larger numbers cannot represent individual milliseconds. */
export function isTime(now: number): boolean {
  return Math.abs(now) <= Number.MAX_SAFE_INTEGER;
}

/** The same moment on both clocks of the machine. */
export interface ClockReading {
  readonly now: number;
  /** Never goes back, cannot be set, and does not advance while the machine sleeps. */
  readonly monotonic: number;
}

/**
 * Tracks how long the daemon has been monitoring without a gap, because workers cannot answer while
 * the daemon sleeps. Called in every round of checks. Returns the `watchingSince` for all evidence
 * of that round.
 */
export function computeWatchingSince(
  previous: number,
  lastRound: ClockReading,
  present: ClockReading,
  overrides: Partial<HealthLimits>,
): number {
  const { now } = present;
  const gap = now - lastRound.now;
  const isWhole = gap >= 0 && gap <= resolveHealthLimits(overrides).watchGap && previous <= now;
  // After a gap or a clock jump, earlier measurements prove nothing.
  return isWhole && !hasJumped(lastRound, present) ? previous : now;
}

/**
 * Minimum difference that counts as a jump. Corrections by a time service are smaller. A larger
 * difference means that the clock was set or the machine slept.
 */
const MIN_JUMP_MS = 5_000;

/**
 * Returns whether wall-clock time moved differently from monotonic time. If so, no age can be
 * trusted.
 */
export function hasJumped(before: ClockReading, after: ClockReading): boolean {
  return Math.abs(computeClockJump(before, after)) > MIN_JUMP_MS;
}

/** Returns the clock jump in ms. Positive if the wall clock jumped ahead. */
export function computeClockJump(before: ClockReading, after: ClockReading): number {
  return after.now - before.now - (after.monotonic - before.monotonic);
}
