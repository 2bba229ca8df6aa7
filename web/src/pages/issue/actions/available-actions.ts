/**
 * Lists the actions available for an issue, starting with the one that ends its wait. Leaves out
 * unavailable actions, so that every entry works. Pure.
 */

import { type ApprovalSubject, resolveApprovalSubject } from '../../../../../src/core/model/issue.ts';
import { hasEnded } from '../../../../../src/core/model/lifecycle.ts';
import { isFinished } from '../../../../../src/core/model/status.ts';
import type { IssueDetail } from '../../../../../src/protocol/endpoints/issues.ts';
import type { WorkerView } from '../../../../../src/protocol/workers.ts';

export type DialogName = 'prompt' | 'advance' | 'pause' | 'edit' | 'dispatch' | 'rollback' | 'reject';

export interface AvailableAction {
  readonly action:
    | DialogName
    | 'answer'
    | 'approve'
    | 'mergeRevert'
    | 'move'
    | 'reset'
    | 'restart'
    | 'resume'
    | 'resume_legion'
    | 'stop';
  readonly label: string;
  readonly keys?: string;
  /** Worker that the action applies to. */
  readonly worker?: WorkerView;
  /** Pull request that would be merged. */
  readonly pullRequest?: number;
}

interface ActionCircumstances {
  /** Whether a worker's question is unanswered. */
  readonly hasQuestion: boolean;
  /** Whether the whole legion is paused or halted. */
  readonly isLegionHeld: boolean;
}

export function listAvailableActions(
  detail: IssueDetail,
  { hasQuestion, isLegionHeld }: ActionCircumstances,
): readonly AvailableAction[] {
  const { issue, workers, pullRequest, revert } = detail;
  const labels = new Set(issue.labels);
  const isApprovalDue = labels.has('needs-approval') && !labels.has('human-approved');
  const isAsked = labels.has('user-input-needed') && !labels.has('user-feedback-given');
  const isPaused = labels.has('legion-paused');
  const isOver = isFinished(issue.status);
  const [first, ...others] = isOver ? [] : workers.filter(hasCrashed).toSorted(comparePausedFirst);
  const isHeldUp = first?.status === 'paused';
  // If the revert has its own web page, it is merged on that page and not here.
  const openRevert = revert?.state === 'open' && revert.url === undefined ? revert.number : undefined;
  const active = workers.filter(({ status }) => !hasEnded(status));
  return [
    ...listIf(hasQuestion || (isAsked && !isOver), { action: 'answer', label: 'Answer', keys: 'a' }),
    ...listIf(isApprovalDue, { action: 'approve', label: getApprovalLabel(issue), keys: 'y' }),
    ...listIf(canRejectResult(issue), { action: 'reject', label: 'Reject…', keys: 'x' }),
    ...(openRevert === undefined
      ? []
      : [{ action: 'mergeRevert', label: 'Merge revert…', pullRequest: openRevert } as const]),
    ...listIf(isPaused, { action: 'resume', label: 'Resume', keys: 'w' }),
    ...listIf(isLegionHeld, { action: 'resume_legion', label: 'Resume the legion' }),
    ...(isHeldUp ? [{ ...toResetAction(first), keys: 'c' }] : []),
    ...listIf(workers.length > 0, { action: 'prompt', label: 'Send a message…', keys: 'p' }),
    ...listIf(!isOver, { action: 'advance', label: 'Advance…', keys: 'd' }),
    ...listIf(!(isPaused || isOver), { action: 'pause', label: 'Pause…', keys: 'w' }),
    { action: 'edit', label: 'Edit…', keys: 'E' },
    ...listIf(!isOver, { action: 'dispatch', label: 'Dispatch a worker…', keys: 'D' }),
    ...(first === undefined || isHeldUp ? others : [first, ...others]).map(toResetAction),
    ...listIf(canRejectPlan(detail), { action: 'reject', label: 'Reject the plan…' }),
    ...active.flatMap(toStopActions),
    ...listIf(isOver || pullRequest?.state === 'merged', { action: 'rollback', label: 'Roll back…' }),
    { action: 'move', label: 'Move to…', keys: 'm' },
  ];
}

function canRejectResult({ status, labels }: IssueDetail['issue']): boolean {
  return labels.includes('needs-approval') && resolveApprovalSubject(status, labels) !== 'restart';
}

/**
 * A plan can be rejected until its first commit is made. The daemon checks whether there are
 * commits.
 */
function canRejectPlan({ issue, pullRequest, workers }: IssueDetail): boolean {
  const hasPlan = workers.some(({ mode }) => mode === 'plan');
  return hasPlan && pullRequest === null && issue.status === 'In Progress';
}

function getApprovalLabel({ status, labels }: IssueDetail['issue']): string {
  return APPROVAL_LABELS[resolveApprovalSubject(status, labels)];
}

const APPROVAL_LABELS: Readonly<Record<ApprovalSubject, string>> = {
  specification: 'Approve the specification…',
  restart: 'Approve a new start…',
  merge: 'Approve merge…',
};

function hasCrashed({ crashes, status }: WorkerView): boolean {
  return crashes > 0 || status === 'paused';
}

/**
 * Puts paused workers first, because a worker that crashed too often waits for a person's
 * permission to continue.
 */
function comparePausedFirst(one: WorkerView, other: WorkerView): number {
  return Number(other.status === 'paused') - Number(one.status === 'paused');
}

function toResetAction(worker: WorkerView): AvailableAction {
  return { action: 'reset', label: `Reset the crash count of ${worker.mode}…`, worker };
}

function toStopActions(worker: WorkerView): readonly AvailableAction[] {
  return [
    { action: 'stop', label: `Stop the ${worker.mode} worker…`, worker },
    { action: 'restart', label: `Restart the ${worker.mode} worker…`, worker },
  ];
}

function listIf(isAvailable: boolean, action: AvailableAction): readonly AvailableAction[] {
  return isAvailable ? [action] : [];
}
