/** Interpretations of the signals that several rules share, and functions that build decisions. */

import { type Action, type Decision, resolveActionMode } from '../model/action.ts';
import { isLive } from '../model/lifecycle.ts';
import type { RoundReason } from '../model/mode.ts';
import { MODES, type Mode } from '../model/mode.ts';
import type { ChildrenStatus, IssueSignals } from '../model/signals.ts';
import { isFinished, type ObservedStatus } from '../model/status.ts';
import type { PipelinePolicy } from './policy.ts';
import { REASONS, type ReasonCode, type StopReason } from './reasons.ts';

/**
 * `live`: a worker is spawned, executing or reporting. `waiting-…`: no worker is live, but a
 * waiting one keeps its slot until a person answers or the quota resets. Another dispatch would
 * duplicate its work.
 */
type WorkerEngagement = 'live' | 'waiting-user' | 'waiting-quota' | 'none';

export function getWorkerEngagement({ workers }: IssueSignals): WorkerEngagement {
  let waiting: WorkerEngagement = 'none';
  for (const mode of MODES) {
    const state = workers[mode];
    if (state === undefined) continue;
    if (isLive(state)) return 'live';
    if (state === 'waiting-user' || state === 'waiting-quota') waiting = state;
  }
  return waiting;
}

/** Returns the mode that the issue's status calls for. */
function resolveStatusMode(signals: IssueSignals): Mode {
  switch (signals.status) {
    case 'Todo':
      return isPlanAwaitingArchitect(signals) ? 'architect' : 'plan';
    case 'In Progress':
      return 'implement';
    case 'Testing':
      return 'test';
    case 'Needs Review':
      return 'review';
    case 'Retro':
      return signals.evidence.retro === 'passed' ? 'merge' : 'implement';
    case 'Done':
    case 'terminal':
      return 'merge';
    case 'Triage':
    case 'Icebox':
    case 'Backlog':
    case 'unknown':
      return 'architect';
  }
}

/**
 * Returns whether a finished plan is waiting for the architect's review. If no worker is running in
 * that situation, the architect is missing, not the planner.
 */
export function isPlanAwaitingArchitect({ labels, workers }: IssueSignals): boolean {
  return labels.has('architect-continuity') && workers.plan === 'finished';
}

/**
 * Summarizes the sub-issues of a split issue. A sub-issue that is missing on the board counts as
 * open: "not read" never means "done".
 */
export function resolveChildrenStatus(
  children: readonly string[],
  getStatus: (issue: string) => ObservedStatus | undefined,
): ChildrenStatus {
  if (children.length === 0) return 'none';
  const ended = children.every((child) => {
    const status = getStatus(child);
    return isFinished(status);
  });
  return ended ? 'all_done' : 'open';
}

/** Actions that stop an issue accept only reasons that explain the stop to people. */
type ActionReason<A extends Action> = A extends StopAction ? StopReason : ReasonCode;
type StopAction = 'add_legion_paused' | 'add_user_input_needed';

/**
 * Builds a decision with its mode, evidence and end condition. `facts` are the signals behind it,
 * besides the status.
 */
export function createDecision<A extends Action>(
  signals: IssueSignals,
  action: A,
  reason: ActionReason<A>,
  ...facts: string[]
): Decision {
  const ofStatus = resolveStatusMode(signals);
  const mode = resolveActionMode(action, { ofStatus, ofAsker: signals.askedBy ?? ofStatus });
  facts.unshift(`status=${signals.status}`);
  return { action, mode, reason, evidence: facts, until: REASONS[reason].until };
}

/**
 * Waits for something external. After the limit a person is notified, and Legion keeps checking.
 */
export function decideRetry(
  signals: IssueSignals,
  action: 'retry_ci_check' | 'retry_pr_check' | 'retry_quality_gate',
  reason: ReasonCode,
  fact: string,
): Decision {
  return signals.waitedTooLong
    ? createDecision(signals, action, 'waited_too_long', `waits_for=${reason}`, fact)
    : createDecision(signals, action, reason, fact);
}

/** Starts another round for the reason `round`, or asks a person once the limit is reached. */
export function decideNextRound(
  signals: IssueSignals,
  policy: PipelinePolicy,
  round: RoundReason,
  action: Exclude<Action, StopAction>,
  reason: ReasonCode,
  fact: string,
): Decision {
  const made = signals.rounds[round] ?? 0;
  const allowed = policy.rounds[round];
  const tally = `rounds.${round}=${made}/${allowed}`;
  return made < allowed
    ? createDecision(signals, action, reason, fact, tally)
    : createDecision(signals, 'add_user_input_needed', 'round_limit', fact, tally);
}

const ANOMALIES = {
  no_pr: { action: 'investigate_no_pr', still: 'still_no_pr', fact: 'pullRequest=none' },
  no_review: { action: 'investigate_no_review', still: 'still_no_review', fact: 'review=none' },
} as const;

/**
 * Investigates an anomaly: re-reads the forge (step 0), then prompts the worker once (step 1), then
 * pauses and asks a person. The anomaly's round count is the number of steps taken.
 */
export function decideInvestigation(
  signals: IssueSignals,
  policy: PipelinePolicy,
  anomaly: keyof typeof ANOMALIES,
): Decision {
  const { action, still, fact } = ANOMALIES[anomaly];
  const made = signals.rounds[anomaly] ?? 0;
  const tally = `investigation=${made}/${policy.rounds[anomaly]}`;
  return made < policy.rounds[anomaly]
    ? createDecision(signals, action, anomaly, fact, tally)
    : createDecision(signals, 'add_legion_paused', still, fact, tally);
}
