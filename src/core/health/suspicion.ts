/**
 * Decides whether and why an attempt is suspicious, how to probe it, and what a confirmed suspicion
 * means. Also updates the stored suspicion.
 */

import { describeDuration } from '../model/format.ts';
import { type AttemptCondition, judgePresence, type LocalSituation } from './condition.ts';
import type { HealthEvidence, Suspicion } from './evidence.ts';
import { describeExitStatus } from './evidence.ts';
import type { HealthContext, HealthStep, HealthVerdict } from './judgement.ts';
import type { HealthLimits } from './limits.ts';
import type { AttemptSilence } from './silence.ts';

export interface SuspicionAssessment {
  /** Main clause with the facts, without a full stop. */
  readonly because: string;
  readonly since: number;
  readonly agentSince: number;
  readonly hard: number;
  readonly probe: 'ask' | 'examine';
  /**
   * Duration of silence that is required after a question (`asked`) or an inspection (`examined`).
   */
  readonly patience: { readonly asked: number; readonly examined: number };
  /**
   * Whether signs of life clear the suspicion. False for a worker without a workspace, which is
   * stopped although it is alive.
   */
  readonly signsClear: boolean;
  readonly conclusion: SuspicionConclusion | { readonly lacks: string };
}

interface SuspicionConclusion {
  readonly verdict: HealthVerdict;
  readonly next: Extract<
    HealthStep,
    'confirm_crash' | 'replace_once' | 'dispatch' | 'stop_and_report' | 'report_corruption'
  >;
  readonly wouldChange: string;
}

export function judgeSuspicion(
  context: HealthContext,
  silence: AttemptSilence,
  local: LocalSituation,
): SuspicionAssessment | undefined {
  const { evidence, now, limits } = context;
  const { since, agentSince, hard } = silence;
  const common = { since, agentSince, hard, signsClear: true, probe: 'examine' } as const;
  const twoChecks = { asked: limits.secondLook, examined: limits.secondLook };
  const isDue = now - since >= silence.limit;

  if (local === 'misplaced') {
    const because = 'Its process is running without a workspace';
    // The process may well be busy, so its own activity must not delay the second check.
    const override = { since: evidence.spawnedAt, signsClear: false };
    return { ...common, ...override, because, patience: twoChecks, conclusion: MISPLACED };
  }
  if (isDue && judgePresence(evidence.process) === 'no') {
    const conclusion = GONE_CONCLUSIONS[local] ?? { lacks: 'the state of its workspace and session file' };
    return { ...common, because: describeMissingProcess(context), patience: twoChecks, conclusion };
  }
  const because = describeSilence(silence, now);
  const patience = computePatience(silence.condition, limits);
  const probe = silence.condition === 'idle' ? 'ask' : 'examine';
  if (isDue)
    return {
      ...common,
      because,
      probe,
      patience,
      conclusion: SILENCE_CONCLUSIONS[silence.condition] ?? CRASHED,
    };
  // A source that became unreadable does not clear the flag. The flag stays until there is
  // activity.
  const isDark = judgePresence(evidence.process) === 'unavailable' || silence.condition === 'unclear';
  if (evidence.suspicion.flagged && isDark)
    return { ...common, because, probe, patience, conclusion: { lacks: 'information about its activity' } };
  return undefined;
}

const CRASHED: SuspicionConclusion = {
  verdict: 'crashed',
  next: 'confirm_crash',
  wouldChange: 'A late report or commit of this attempt would prove this wrong and would be recorded.',
};

const MISPLACED: SuspicionConclusion = {
  verdict: 'misplaced',
  next: 'stop_and_report',
  wouldChange: 'Its workspace reappears before it is asked to stop.',
};

const NEVER_STARTED: SuspicionConclusion = {
  verdict: 'never_started',
  next: 'dispatch',
  wouldChange: 'A new attempt starts with its own workspace.',
};

const NEVER_SPOKE: SuspicionConclusion = {
  verdict: 'never_started',
  next: 'replace_once',
  wouldChange: 'The replacement starts working; a second failed start goes to a person.',
};

const IMPOSSIBLE: SuspicionConclusion = {
  verdict: 'corrupt',
  next: 'report_corruption',
  wouldChange:
    'A person restores the workspace or removes the session, or the workspace or process is seen again.',
};

const GONE_CONCLUSIONS: Partial<Record<LocalSituation, SuspicionConclusion>> = {
  never_started: NEVER_STARTED,
  died_early: CRASHED,
  exited: CRASHED,
  impossible: IMPOSSIBLE,
};

const SILENCE_CONCLUSIONS: Partial<Record<AttemptCondition, SuspicionConclusion>> = {
  not_started: NEVER_SPOKE,
};

/**
 * Returns how long an attempt must be silent after a probe. An idle session is silent by nature, so
 * the hard limit applies if it was inspected without being asked a question.
 */
function computePatience(condition: AttemptCondition, limits: HealthLimits): SuspicionAssessment['patience'] {
  const examined = condition === 'idle' ? limits.thinkingHard : limits.probeSilence;
  return { asked: limits.probeSilence, examined };
}

function describeMissingProcess({ evidence: { process, report, output } }: HealthContext): string {
  const left = report === 'unavailable' ? 'whether it left a report is unknown' : 'it left no report';
  if (process === 'unavailable' || process.state === 'never_seen')
    return `Its process was never seen and ${left}`;
  if (process.state === 'alive') return `Its pid now belongs to another process and ${left}`;
  return `Its process ${describeExitStatus(process.exit)} and ${left}${output === 'empty' ? ', and its last output is empty' : ''}`;
}

function describeSilence({ condition, since, limit }: AttemptSilence, now: number): string {
  const silent = describeDuration(now - since);
  switch (condition) {
    case 'not_started':
      return `There has been no agent event since it started ${silent} ago; startup may take ${describeDuration(limit)}`;
    case 'in_tool':
      return `It has been running a tool without any activity for ${silent}`;
    case 'idle':
      return `Its turn ended ${silent} ago without a report`;
    default:
      return `It has been silent for ${silent}`;
  }
}

type FlaggedSuspicion = Extract<Suspicion, { flagged: true }>;

/**
 * Raises the flag and records the values that later checks use for comparison. Called after `flag`.
 */
export function setFlag({ phase, cpu }: HealthEvidence, now: number): Suspicion {
  return { flagged: true, since: now, phase, cpuMs: readCpuMs(cpu), probe: { state: 'not_sent' } };
}

/** Called after `probe_ask` or `examine`, if the probe ran. */
export function markProbeSent(
  flag: FlaggedSuspicion,
  { cpu }: HealthEvidence,
  how: 'ask' | 'examine',
  now: number,
): Suspicion {
  // The current CPU time is recorded only if it was unreadable when the flag was raised. Otherwise
  // the older value is the better baseline.
  const cpuMs = flag.cpuMs === 'unavailable' ? readCpuMs(cpu) : flag.cpuMs;
  return { ...flag, cpuMs, probe: { state: 'sent', at: now, how } };
}

/** Called after a probe that could not run. */
export function markProbeFailed(flag: FlaggedSuspicion, how: 'ask' | 'examine', now: number): Suspicion {
  return { ...flag, probe: { state: 'failed', at: now, how } };
}

/** Called when the worker answers the question. */
export function markProbeAnswered(flag: FlaggedSuspicion, now: number): Suspicion {
  return { ...flag, probe: { state: 'answered', at: now } };
}

/** Called after `clear`. */
export function clearFlag(now: number): Suspicion {
  return { flagged: false, clearedAt: now };
}

function readCpuMs(cpu: HealthEvidence['cpu']): FlaggedSuspicion['cpuMs'] {
  return cpu === 'unavailable' ? cpu : cpu.usedMs;
}
