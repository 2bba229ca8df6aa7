/**
 * Entry point of the health module: judges an attempt by its evidence, explains why, and chooses
 * the next step.
 */

import { describeDuration } from '../model/format.ts';
import { hasEnded } from '../model/lifecycle.ts';
import { findClockProblem, isTime } from './clock.ts';
import { judgeCondition, judgePresence, resolveLocalSituation } from './condition.ts';
import type { HealthEvidence } from './evidence.ts';
import { describeExitStatus, describeHealthEvidence } from './evidence.ts';
import {
  type HealthContext,
  type HealthFinding,
  type HealthJudgement,
  omitRepeatedNotice,
} from './judgement.ts';
import { type HealthLimits, resolveHealthLimits } from './limits.ts';
import { type AttemptSilence, computeSilence, judgeLostMessage } from './silence.ts';
import { judgeSuspicion } from './suspicion.ts';
import { decideSuspicionStep } from './three-steps.ts';
import { judgeWait } from './waits.ts';

export function judgeHealth(
  evidence: HealthEvidence,
  now: number,
  limits: Partial<HealthLimits>,
): HealthJudgement {
  const context: HealthContext = { evidence, now, limits: resolveHealthLimits(limits) };
  const { lookAgainAt, grounds = [], ...finding } = findFirstFinding(context);
  const judgement = {
    ...finding,
    grounds,
    state: judgeCondition(evidence),
    evidence: describeHealthEvidence(evidence, now),
  };
  const nextCheckAt = computeLookAgainAt(context, finding.until, lookAgainAt);
  return nextCheckAt === undefined ? judgement : { ...judgement, lookAgainAt: nextCheckAt };
}

/**
 * Returns the finding of the first rule that matches. Harmless steps (accepting a report, ending a
 * wait) come before those that need a trusted clock.
 */
function findFirstFinding(context: HealthContext): HealthFinding {
  return (
    judgeEndedAttempt(context) ??
    judgeUnreadableClock(context) ??
    judgeLostMessage(context) ??
    judgeWait(context) ??
    judgeClockProblem(context) ??
    judgeWithinGrace(context) ??
    judgeWatchedAttempt(context)
  );
}

function judgeWatchedAttempt(context: HealthContext): HealthFinding {
  const { evidence, now } = context;
  const silence = computeSilence(context);
  const { sessionFile } = evidence;
  const session =
    typeof sessionFile !== 'object' ? sessionFile : now - sessionFile.at < silence.limit ? 'fresh' : 'stale';
  const local = resolveLocalSituation(evidence.workspace, judgePresence(evidence.process), session);
  const suspect = judgeSuspicion(context, silence, local);
  return suspect === undefined ? judgeUnsuspected(context, silence) : decideSuspicionStep(context, suspect);
}

function judgeUnreadableClock({ now }: HealthContext): HealthFinding | undefined {
  if (isTime(now)) return undefined;
  return {
    verdict: 'unknown',
    next: 'leave_alone',
    why: `The clock reads ${now}; without a valid time nothing can be judged.`,
    wouldChange: 'The clock returns a valid time.',
    until: 'event',
  };
}

function judgeClockProblem(context: HealthContext): HealthFinding | undefined {
  const problem = findClockProblem(context);
  return problem?.next === 'report_corruption'
    ? omitRepeatedNotice(context, { ...problem, next: problem.next })
    : problem;
}

function judgeWithinGrace({ evidence, now, limits }: HealthContext): HealthFinding | undefined {
  const watched = now - evidence.watchingSince;
  if (watched >= limits.grace) return undefined;
  return {
    verdict: 'unknown',
    next: 'leave_alone',
    why: `${describeGoneProcess(evidence)}The daemon started monitoring only ${describeDuration(watched)} ago, which is too soon for a verdict.`,
    wouldChange: `In ${describeDuration(limits.grace - watched)} the attempt is judged as usual.`,
    until: 'time',
    lookAgainAt: evidence.watchingSince + limits.grace,
  };
}

function describeGoneProcess({ process }: HealthEvidence): string {
  if (process === 'unavailable' || process.state !== 'gone') return '';
  return `Its process ${describeExitStatus(process.exit)}. `;
}

/**
 * Prevents a busy loop and guarantees a check at least once a day, whatever times the evidence
 * contains.
 */
function computeLookAgainAt(
  { now, limits }: HealthContext,
  until: HealthFinding['until'],
  wanted: number | undefined,
): number | undefined {
  if (until === 'nothing_more' || !isTime(now)) return undefined;
  const at = wanted !== undefined && Number.isFinite(wanted) ? wanted : now + limits.heartbeat;
  return Math.min(Math.max(at, now + limits.afterStep), now + limits.remind);
}

/**
 * Leaves an ended attempt alone. If its process is still running, the cleanup handles it as a
 * zombie and the health rules ignore it.
 */
function judgeEndedAttempt({ evidence, now, limits }: HealthContext): HealthFinding | undefined {
  const { state, stateSince } = evidence;
  if (!hasEnded(state)) return undefined;
  const process = judgePresence(evidence.process);
  if (process === 'yes' && isTime(now) && stateSince <= now && now - stateSince < limits.stopGrace) {
    return {
      verdict: 'ended',
      next: 'leave_alone',
      why: `The attempt has been ${state} for ${describeDuration(now - stateSince)}; its process is exiting.`,
      wouldChange: `If the process still exists in ${describeDuration(stateSince + limits.stopGrace - now)}, it is a zombie.`,
      until: 'time',
      lookAgainAt: stateSince + limits.stopGrace,
    };
  }
  if (process === 'yes') {
    return {
      verdict: 'zombie',
      next: 'reap_at_cleanup',
      why: `The attempt is ${state} but its process still exists.`,
      wouldChange: 'The process exits, or the cleanup of its issue reaps it by pid and start time.',
      until: 'event',
    };
  }
  if (state === 'paused') {
    return {
      verdict: 'ended',
      next: 'leave_alone',
      why: 'The attempt is paused: it crashed more often than allowed.',
      wouldChange: 'A new attempt can start once a person resets the crash count.',
      until: 'person',
    };
  }
  return {
    verdict: 'ended',
    next: 'leave_alone',
    why: `The attempt is ${state}${process === 'no' ? '' : '; its process could not be checked'}.`,
    wouldChange: 'Nothing: a new attempt is judged separately.',
    until: 'nothing_more',
  };
}

/** Describes an attempt that is not suspicious. */
function judgeUnsuspected(context: HealthContext, silence: AttemptSilence): HealthFinding {
  const { evidence, now, limits } = context;
  const silent = now - silence.since;
  const left = silence.limit - silent;
  const rest = {
    wouldChange: `Silence for another ${describeDuration(left)} would make it suspicious.`,
    until: 'time',
    // A wake-up may be lost, so healthy attempts are checked on every heartbeat too.
    lookAgainAt: now + Math.min(left, limits.heartbeat),
  } as const;
  if (evidence.suspicion.flagged) {
    return {
      verdict: 'healthy',
      next: 'clear',
      why: `It was flagged, but it is within its limit again: it ${CONDITION_CLAUSES[silence.condition]}.`,
      ...rest,
      lookAgainAt: now + limits.afterStep,
    };
  }
  if (silence.condition === 'not_started') {
    const why = `It was started ${describeDuration(silent)} ago; startup may take ${describeDuration(limits.notStarted)}.`;
    return { verdict: 'starting', next: 'leave_alone', why, ...rest };
  }
  if (silence.condition === 'gone') {
    const why = `Its process is gone, but its last activity was only ${describeDuration(silent)} ago, so it does not count as dead yet.`;
    return { verdict: 'unknown', next: 'leave_alone', why, ...rest };
  }
  if (isUnobservable(context)) {
    const why = 'Its process, events and session file cannot be read, so it does not count as dead.';
    return { verdict: 'unknown', next: 'leave_alone', why, ...rest };
  }
  const why = `It ${CONDITION_CLAUSES[silence.condition]}; its last activity was ${describeDuration(silent)} ago.`;
  return { verdict: 'healthy', next: 'leave_alone', why, ...rest };
}

const CONDITION_CLAUSES = {
  not_started: 'is starting',
  thinking: 'is thinking',
  in_tool: 'is running a tool',
  idle: 'is idle',
  unclear: 'may be thinking or running a tool',
  gone: 'has lost its process',
  reporting: 'is reporting',
  waiting_user: 'is waiting for a person',
  waiting_quota: 'is waiting for quota',
  ended: 'has ended',
} as const;

function isUnobservable({ evidence: { process, agent, sessionFile } }: HealthContext): boolean {
  return judgePresence(process) === 'unavailable' && agent === 'unavailable' && sessionFile === 'unavailable';
}
