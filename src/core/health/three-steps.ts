/**
 * Flags, probes and evaluates: no live attempt is stopped in fewer than three steps after the first
 * suspicion.
 */

import { describeDuration } from '../model/format.ts';
import { hasFutureTime } from './clock.ts';
import { judgePresence } from './condition.ts';
import { type HealthContext, type HealthFinding, omitRepeatedNotice } from './judgement.ts';
import type { SuspicionAssessment } from './suspicion.ts';

export function decideSuspicionStep(context: HealthContext, suspect: SuspicionAssessment): HealthFinding {
  const { suspicion, phase } = context.evidence;
  if (!suspicion.flagged)
    return createStepFinding(context, 'flag', `${suspect.because}, which is suspicious.`);
  if (suspicion.phase !== phase)
    return createStepFinding(
      context,
      'clear',
      `It was flagged in another phase, ${suspicion.phase}; it is now in ${phase}.`,
    );
  if (suspect.signsClear) {
    const { agent, body } = collectSignsOfLife(context);
    if (agent.length > 0)
      return createStepFinding(context, 'clear', `Activity since it was flagged: ${agent.join(', ')}.`);
    if (body.length > 0) return judgeProcessActivity(context, suspect, body.join(', '));
  }
  const { probe } = suspicion;
  switch (probe.state) {
    case 'not_sent':
      return chooseFirstProbe(context, suspect);
    case 'failed':
      return decideAfterFailedProbe(context, suspect, probe);
    case 'sent':
      return isMissingCpuBaseline(context)
        ? createStepFinding(
            context,
            'examine',
            `${suspect.because}; its CPU time is readable now and will be compared later.`,
          )
        : evaluateProbe(context, suspect, probe);
    case 'answered':
      // Most answers have already cleared the flag in the code above. An answer that is handled
      // here is older than the flag, or `signsClear` is false.
      return suspect.signsClear
        ? chooseFirstProbe(context, suspect)
        : evaluateProbe(context, suspect, { ...probe, how: 'ask' });
  }
}

/**
 * Sends a question to an idle session, which handles it as a turn. Only inspects a busy session,
 * because a busy session would lose the question.
 */
function chooseFirstProbe(context: HealthContext, suspect: SuspicionAssessment): HealthFinding {
  if (suspect.probe === 'examine') return createStepFinding(context, 'examine', `${suspect.because}.`);
  const { questionsAsked } = context.evidence;
  if (questionsAsked < context.limits.questions)
    return createStepFinding(context, 'probe_ask', `${suspect.because}.`);
  return omitRepeatedNotice(context, {
    verdict: 'suspicious',
    next: 'ask_person',
    why: `${suspect.because}, and it has been asked ${questionsAsked} times without any progress.`,
    wouldChange: 'It reports, asks a question or shows other activity, or a person prompts or stops it.',
    until: 'person',
  });
}

/**
 * After a question that could not be delivered, inspects the attempt. After a failed inspection,
 * inspects it again later.
 */
function decideAfterFailedProbe(
  context: HealthContext,
  suspect: SuspicionAssessment,
  probe: { readonly at: number; readonly how: 'ask' | 'examine' },
): HealthFinding {
  const { now, limits } = context;
  const wait = probe.how === 'ask' ? 0 : limits.probeRetry;
  if (now - probe.at >= wait)
    return createStepFinding(
      context,
      'examine',
      `${suspect.because}; the last probe failed to run, which proves nothing.`,
    );
  return createUndecidedFinding(context, suspect, ['a successful probe'], probe.at + wait);
}

/**
 * Handles an attempt whose CPU or child processes are active while its agent is silent. It is
 * alive, but after the hard limit a person is notified.
 */
function judgeProcessActivity(
  context: HealthContext,
  suspect: SuspicionAssessment,
  signs: string,
): HealthFinding {
  const silent = context.now - suspect.agentSince;
  if (silent < suspect.hard)
    return createStepFinding(context, 'clear', `Activity since it was flagged: ${signs}.`);
  return omitRepeatedNotice(context, {
    verdict: 'suspicious',
    next: 'ask_person',
    why: `The agent has been silent for ${describeDuration(silent)} but there was other activity (${signs}), so it is not stopped.`,
    wouldChange: 'An agent event clears the flag; a person may stop it.',
    until: 'person',
  });
}

/**
 * Returns whether the CPU time was unreadable when the attempt was flagged. If so, a new probe
 * records it.
 */
function isMissingCpuBaseline({ evidence: { suspicion, cpu, process } }: HealthContext): boolean {
  return (
    suspicion.flagged &&
    suspicion.cpuMs === 'unavailable' &&
    cpu !== 'unavailable' &&
    judgePresence(process) === 'yes'
  );
}

const STEP_OUTCOMES = {
  flag: ['suspicious', 'Any sign of life clears the flag; otherwise it is probed next.'],
  probe_ask: ['suspicious', 'Its answer, or any sign of life, clears the flag.'],
  examine: ['suspicious', 'Any activity of its CPU, child processes, tool or session file clears the flag.'],
  clear: ['healthy', 'Renewed silence beyond the limit raises a new flag.'],
} as const;

function createStepFinding(
  { evidence, now, limits }: HealthContext,
  next: keyof typeof STEP_OUTCOMES,
  why: string,
): HealthFinding {
  const [usual, wouldChange] = STEP_OUTCOMES[next];
  // Activity after the process was seen to be gone proves neither death nor health.
  const verdict = next === 'clear' && judgePresence(evidence.process) === 'no' ? 'unknown' : usual;
  return { verdict, next, why, wouldChange, until: 'event', lookAgainAt: now + limits.afterStep };
}

interface SignsOfLife {
  /** Activity of the agent itself, which clears a flag. */
  readonly agent: readonly string[];
  /**
   * Activity of the attempt's process. It also clears a flag, but only up to the hard limit,
   * because a progress spinner keeps running in a dead session.
   */
  readonly body: readonly string[];
}

const NO_SIGNS_OF_LIFE: SignsOfLife = { agent: [], body: [] };

/** Collects what an attempt has done since it was flagged. */
function collectSignsOfLife({ evidence, limits }: HealthContext): SignsOfLife {
  const { suspicion, agent, sessionFile, checkpoint, tool, cpu, children } = evidence;
  if (!suspicion.flagged) return NO_SIGNS_OF_LIFE;
  const { since, probe, cpuMs } = suspicion;
  const signs = { agent: [] as string[], body: [] as string[] };

  if (agent !== 'unavailable' && agent.kind !== 'none' && agent.at > since)
    signs.agent.push('an agent event');
  if (typeof sessionFile === 'object' && sessionFile.at > since)
    signs.agent.push('a write to its session file');
  if (typeof checkpoint === 'object' && checkpoint.at > since) signs.agent.push('a checkpoint');
  if (typeof tool === 'object' && tool.since > since) signs.agent.push('a tool start');
  if (probe.state === 'answered' && probe.at > since) signs.agent.push('an answer to the probe');

  if (cpu !== 'unavailable' && cpuMs !== 'unavailable' && cpu.usedMs - cpuMs >= limits.cpuSign)
    signs.body.push('CPU use');
  if (children !== 'unavailable' && children.newestAt !== 'none' && children.newestAt > since)
    signs.body.push('a new child process');
  return signs;
}

/**
 * Implements the third step: after a probe and a wait, the evidence confirms the suspicion or
 * leaves it open.
 */
function evaluateProbe(
  context: HealthContext,
  suspect: SuspicionAssessment,
  probe: { readonly at: number; readonly how: 'ask' | 'examine' },
): HealthFinding {
  const { evidence, now } = context;
  // Silence is measured from the first moment at which the worker could have answered. This
  // excludes time in which the machine slept.
  const since = Math.max(probe.at, evidence.watchingSince, suspect.since);
  const patience = probe.how === 'ask' ? suspect.patience.asked : suspect.patience.examined;
  const waited = now - since;
  if (!(waited >= patience)) {
    return {
      verdict: 'suspicious',
      next: 'leave_alone',
      why: `${suspect.because}; it was probed ${describeDuration(now - probe.at)} ago and has shown no activity.`,
      wouldChange: `Any sign of life clears the flag; otherwise it is judged in ${describeDuration(since + patience - now)}.`,
      until: 'time',
      lookAgainAt: since + patience,
    };
  }
  const { grounds, missing } = joinEvidence(context);
  const { conclusion } = suspect;
  if ('lacks' in conclusion) return createUndecidedFinding(context, suspect, [...missing, conclusion.lacks]);
  if (missing.length > 0) return createUndecidedFinding(context, suspect, missing);
  const finding: HealthFinding = {
    verdict: conclusion.verdict,
    next: conclusion.next,
    why: `${suspect.because}; it was probed and showed no activity for ${describeDuration(waited)} (${grounds.join(', ')} agree).`,
    wouldChange: conclusion.wouldChange,
    until: conclusion.next === 'report_corruption' ? 'person' : 'event',
    grounds,
  };
  return conclusion.next === 'report_corruption'
    ? omitRepeatedNotice(context, { ...finding, next: conclusion.next })
    : finding;
}

/**
 * Unknown is not dead: the attempt is checked again, and a flag that stays unresolved is reported
 * to a person.
 */
function createUndecidedFinding(
  context: HealthContext,
  suspect: SuspicionAssessment,
  missing: readonly string[],
  notBefore = 0,
): HealthFinding {
  const { evidence, now, limits } = context;
  const { suspicion } = evidence;
  const finding: HealthFinding = {
    verdict: 'unknown',
    next: 'leave_alone',
    why: `${suspect.because}, but that is not proof of a crash; still needed: ${missing.join(', ')}.`,
    wouldChange: `Any sign of life clears the flag. Still needed for a conclusion: ${missing.join(', ')}.`,
    until: 'time',
    lookAgainAt: Math.max(notBefore, now + (notBefore > now ? 0 : limits.heartbeat)),
  };
  if (!suspicion.flagged || now - suspicion.since < limits.unresolved) return finding;
  return omitRepeatedNotice(context, { ...finding, next: 'ask_person', until: 'person' });
}

interface JoinedEvidence {
  /** Sources that indicate death. */
  readonly grounds: readonly string[];
  /**
   * Evidence that is still missing before the attempt may be treated as dead. Empty if nothing is
   * missing.
   */
  readonly missing: readonly string[];
}

/** A single source may be wrong, so at least two must agree. */
const MIN_GROUNDS = 2;

/**
 * Checks that independent, readable sources agree that an attempt is dead. One source is never
 * enough.
 */
function joinEvidence(context: HealthContext): JoinedEvidence {
  const { evidence } = context;
  const process = judgePresence(evidence.process);
  const missing: string[] = [];
  if (hasFutureTime(context)) missing.push('a clock that has passed all recorded times');
  if (process === 'unavailable') missing.push('the state of its process');
  if (evidence.report === 'unavailable') missing.push('the state of its report');
  if (evidence.workspace === 'unavailable') missing.push('the state of its workspace');

  const grounds =
    process === 'yes' ? collectStillnessGrounds(context, missing) : collectAbsenceGrounds(context);
  if (grounds.length < MIN_GROUNDS) missing.push('a second independent source');
  return { grounds, missing };
}

/** If the process is gone, only the traces that it left behind are evidence. */
function collectAbsenceGrounds({ evidence }: HealthContext): string[] {
  const grounds: string[] = [];
  if (judgePresence(evidence.process) === 'no') grounds.push('process');
  if (evidence.report === 'none') grounds.push('report');
  if (evidence.workspace === 'no') grounds.push('workspace');
  return grounds;
}

/**
 * A running process may be stopped only if its CPU time and at least one other source show no
 * activity.
 */
function collectStillnessGrounds({ evidence, limits }: HealthContext, missing: string[]): string[] {
  const { suspicion, cpu, sessionFile, output, workspace } = evidence;
  if (workspace === 'no') return ['workspace', 'process'];
  if (!suspicion.flagged) return [];
  const grounds: string[] = [];
  const used =
    cpu === 'unavailable' || suspicion.cpuMs === 'unavailable' ? Number.NaN : cpu.usedMs - suspicion.cpuMs;
  if (used >= 0 && used < limits.cpuSign) grounds.push('cpu');
  else missing.push('its CPU time since it was flagged');

  const { since } = suspicion;
  if (sessionFile === 'missing' || (typeof sessionFile === 'object' && sessionFile.at <= since))
    grounds.push('session_file');
  if (output === 'empty') grounds.push('output');
  return grounds;
}
