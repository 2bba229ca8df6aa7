/** Measures how long an attempt has been silent, and detects reports that were lost on the way. */

import { describeDuration } from '../model/format.ts';
import { type AttemptCondition, judgeCondition, judgePresence } from './condition.ts';
import type { HealthEvidence } from './evidence.ts';
import type { HealthContext, HealthFinding } from './judgement.ts';
import type { HealthLimits } from './limits.ts';

export interface AttemptSilence {
  readonly condition: AttemptCondition;
  /** Time of the last activity or cleared flag. */
  readonly since: number;
  /** Time of the last activity of the agent itself, not counting CPU use. */
  readonly agentSince: number;
  /** Duration of silence after which the attempt becomes suspicious. */
  readonly limit: number;
  /** Agent silence after which process activity alone no longer clears the flag. */
  readonly hard: number;
}

export function computeSilence({
  evidence,
  limits,
}: Pick<HealthContext, 'evidence' | 'limits'>): AttemptSilence {
  const condition = judgeCondition(evidence);
  const agentSince = computeLastAgentActivity(evidence);
  const cleared = getFlagClearedAt(evidence);
  const { limit, hard } = getSilenceLimits(condition, limits);
  if (condition === 'idle' || condition === 'gone') {
    const began = findConditionStart(condition, evidence);
    // An idle or exited attempt is suspicious immediately. The next flag is delayed only if a flag
    // was already cleared since this condition began.
    if (cleared === undefined || cleared < began) return { condition, since: began, agentSince, limit, hard };
    const pause = condition === 'idle' ? limits.thinking : limits.heartbeat;
    return { condition, since: cleared, agentSince, limit: pause, hard };
  }
  const since = cleared === undefined ? agentSince : Math.max(agentSince, cleared);
  return { condition, since, agentSince, limit, hard };
}

function getSilenceLimits(
  condition: AttemptCondition,
  limits: HealthLimits,
): { limit: number; hard: number } {
  switch (condition) {
    case 'not_started':
      return { limit: limits.notStarted, hard: limits.thinkingHard };
    case 'thinking':
      return { limit: limits.thinking, hard: limits.thinkingHard };
    case 'in_tool':
    case 'unclear':
      return { limit: limits.inTool, hard: limits.inToolHard };
    case 'idle':
    case 'gone':
      return { limit: 0, hard: limits.thinkingHard };
    // These conditions have their own rules and never become suspicious through silence.
    case 'reporting':
    case 'waiting_user':
    case 'waiting_quota':
    case 'ended':
      return { limit: Number.POSITIVE_INFINITY, hard: Number.POSITIVE_INFINITY };
  }
}

/**
 * Uses the session file in addition to the events, in case the daemon reads the wrong event stream.
 */
function computeLastAgentActivity(evidence: HealthEvidence): number {
  const { agent, sessionFile, checkpoint, tool } = evidence;
  let last = Math.max(evidence.spawnedAt, evidence.stateSince);
  if (agent !== 'unavailable' && agent.kind !== 'none') last = Math.max(last, agent.at);
  if (typeof sessionFile === 'object') last = Math.max(last, sessionFile.at);
  if (typeof checkpoint === 'object') last = Math.max(last, checkpoint.at);
  if (typeof tool === 'object') last = Math.max(last, tool.since);
  return last;
}

function getFlagClearedAt({ suspicion }: HealthEvidence): number | undefined {
  return suspicion.flagged ? undefined : suspicion.clearedAt;
}

function findConditionStart(
  condition: 'idle' | 'gone',
  { agent, process, spawnedAt }: HealthEvidence,
): number {
  if (condition === 'idle') return agent !== 'unavailable' && agent.kind !== 'none' ? agent.at : spawnedAt;
  return process !== 'unavailable' && process.state === 'gone' ? process.since : spawnedAt;
}

/**
 * If a report was received, announced by a done flag or stored in the outbox, but changed nothing,
 * treats it as a lost message. The state of the worker's process does not matter.
 */
export function judgeLostMessage(context: HealthContext): HealthFinding | undefined {
  const { evidence, now, limits } = context;
  const { report, state } = evidence;
  if (state === 'reporting') {
    // The daemon that recorded the report stopped before judging it.
    if (evidence.stateSince < evidence.watchingSince)
      return createRecoveryFinding(
        context,
        'It reported before the daemon started monitoring, and the report has not been processed.',
      );
    return isReportOverdue(context, evidence.stateSince)
      ? createRecoveryFinding(
          context,
          `It reported ${describeDuration(now - evidence.stateSince)} ago and the report has not been processed.`,
        )
      : createInTransitFinding(evidence.stateSince, limits.reporting);
  }
  if (typeof report !== 'object') return undefined;
  const where = REPORT_DESCRIPTIONS[report.where];
  if (judgePresence(evidence.process) === 'no')
    return createRecoveryFinding(
      context,
      `Its process is gone, but it left ${where}: a lost message, not a crash.`,
    );
  // The report was written before this daemon began to monitor. The worker cannot know that no
  // daemon was listening.
  if (report.since < evidence.watchingSince)
    return createRecoveryFinding(context, `There was ${where} before the daemon started monitoring.`);
  return isReportOverdue(context, report.since)
    ? createRecoveryFinding(
        context,
        `There has been ${where} for ${describeDuration(now - report.since)}, but its state has not advanced.`,
      )
    : createInTransitFinding(report.since, limits.reporting);
}

const REPORT_DESCRIPTIONS = {
  received: 'a received report',
  done_flag: 'a done flag',
  outbox: 'a report in the outbox',
} as const;

/**
 * Treats an unreadable or future time as overdue. Starting the recovery at once is safe, because
 * the recovery verifies the report first.
 */
function isReportOverdue({ now, limits }: HealthContext, since: number): boolean {
  const age = now - since;
  return !(age >= -limits.clockSkew && age < limits.reporting);
}

function createRecoveryFinding({ now, limits }: HealthContext, why: string): HealthFinding {
  return {
    verdict: 'lost_message',
    next: 'recover_report',
    why,
    wouldChange: `The report is processed; if its state has not advanced in ${describeDuration(limits.reporting)}, recovery is tried again.`,
    until: 'event',
    lookAgainAt: now + limits.reporting,
  };
}

function createInTransitFinding(since: number, allowed: number): HealthFinding {
  return {
    verdict: 'healthy',
    next: 'leave_alone',
    why: 'Its report was written and is on its way.',
    wouldChange: `If its state does not advance within ${describeDuration(allowed)} of the report, Legion treats the message as lost and recovers it.`,
    until: 'event',
    lookAgainAt: since + allowed,
  };
}
