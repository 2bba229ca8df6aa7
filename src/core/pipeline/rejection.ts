/** The rules for work that a person rejected: who changes it, and where the issue goes. */
import type { Action, Decision } from '../model/action.ts';
import type { RejectionSubject } from '../model/issue.ts';
import type { Mode } from '../model/mode.ts';
import type { IssueSignals } from '../model/signals.ts';
import type { ObservedStatus, Status } from '../model/status.ts';
import { createDecision, getWorkerEngagement } from './situation.ts';

interface RejectedWork {
  readonly action: Extract<
    Action,
    'resume_architect_for_changes' | 'resume_planner_for_changes' | 'resume_implementer_for_changes'
  >;
  readonly mode: Mode;
  readonly moveTo: Status;
  /** Statuses in which the rejection applies. */
  readonly statuses: readonly ObservedStatus[];
}

export const REJECTED_WORK: Readonly<Record<RejectionSubject, RejectedWork>> = {
  specification: {
    action: 'resume_architect_for_changes',
    mode: 'architect',
    moveTo: 'Backlog',
    statuses: ['Backlog', 'Todo'],
  },
  plan: {
    action: 'resume_planner_for_changes',
    mode: 'plan',
    moveTo: 'Todo',
    statuses: ['Todo', 'In Progress'],
  },
  merge: {
    action: 'resume_implementer_for_changes',
    mode: 'implement',
    moveTo: 'In Progress',
    statuses: ['Retro', 'In Progress'],
  },
};

/** Returns the rejected work if the rejection still applies in this status. */
export function findRejectedWork(
  rejected: RejectionSubject | undefined,
  status: ObservedStatus,
): RejectionSubject | undefined {
  return rejected !== undefined && REJECTED_WORK[rejected].statuses.includes(status) ? rejected : undefined;
}

/** A rejection overrules an approval and an open question, because a person decided it later. */
export function decideOnRejection(signals: IssueSignals): Decision | undefined {
  const { rejected, labels, held } = signals;
  if (rejected === undefined || isMerged(signals)) return undefined;
  if (labels.has('legion-paused') || held !== undefined) return undefined;
  const fact = `rejected=${rejected}`;
  // The request to reject stops the worker. Two workers must never run at once.
  return getWorkerEngagement(signals) === 'live'
    ? createDecision(signals, 'skip', 'worker_live', 'worker=live', fact)
    : createDecision(signals, REJECTED_WORK[rejected].action, 'rejected', fact);
}

/** A merge that has landed cannot be rejected any more, only rolled back. */
function isMerged({ pullRequest }: IssueSignals): boolean {
  return typeof pullRequest === 'object' && pullRequest.state === 'merged';
}
