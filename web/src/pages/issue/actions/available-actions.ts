/** What can be done with an issue now, what it waits for first. What cannot be done is left out, so that every entry works. Pure. */

import { isFinished } from '../../../../../src/core/model/status.ts';
import { type ApprovalSubject, approvalSubject } from '../../../../../src/domain/approval-subject.ts';
import { hasEnded } from '../../../../../src/domain/lifecycle.ts';
import type { IssueDetail } from '../../../../../src/protocol/endpoints/issues.ts';
import type { WorkerView } from '../../../../../src/protocol/operator.ts';

export type DialogName = 'prompt' | 'advance' | 'pause' | 'edit' | 'dispatch' | 'rollback';

export interface Offer {
  readonly deed:
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
  readonly says: string;
  readonly keys?: string;
  /** The one it would be done to. */
  readonly worker?: WorkerView;
  /** The one that would be merged. */
  readonly pullRequest?: number;
}

interface Circumstances {
  /** A worker's question is open. */
  readonly hasQuestion: boolean;
  /** The whole legion is paused or halted. */
  readonly isLegionHeld: boolean;
}

export function offersOf(
  { issue, workers, pullRequest, revert }: IssueDetail,
  { hasQuestion, isLegionHeld }: Circumstances,
): readonly Offer[] {
  const labels = new Set(issue.labels);
  const isApprovalDue = labels.has('needs-approval') && !labels.has('human-approved');
  const isAsked = labels.has('user-input-needed') && !labels.has('user-feedback-given');
  const isPaused = labels.has('legion-paused');
  const isOver = isFinished(issue.status);
  const [first, ...others] = isOver ? [] : workers.filter(hasCrashed).toSorted(pausedFirst);
  const isHeldUp = first?.status === 'paused';
  // One with a page of its own is merged there.
  const openRevert = revert?.state === 'open' && revert.url === undefined ? revert.number : undefined;
  const atWork = workers.filter(({ status }) => !hasEnded(status));
  return [
    ...where(hasQuestion || (isAsked && !isOver), { deed: 'answer', says: 'Answer', keys: 'a' }),
    ...where(isApprovalDue, { deed: 'approve', says: approvalWords(issue), keys: 'y' }),
    ...(openRevert === undefined
      ? []
      : [{ deed: 'mergeRevert', says: 'Merge revert…', pullRequest: openRevert } as const]),
    ...where(isPaused, { deed: 'resume', says: 'Resume', keys: 'w' }),
    ...where(isLegionHeld, { deed: 'resume_legion', says: 'Resume the legion' }),
    ...(isHeldUp ? [{ ...clearing(first), keys: 'c' }] : []),
    ...where(workers.length > 0, { deed: 'prompt', says: 'Say something…', keys: 'p' }),
    ...where(!isOver, { deed: 'advance', says: 'Advance…', keys: 'd' }),
    ...where(!(isPaused || isOver), { deed: 'pause', says: 'Pause…', keys: 'w' }),
    { deed: 'edit', says: 'Edit…', keys: 'E' },
    ...where(!isOver, { deed: 'dispatch', says: 'Dispatch a worker…', keys: 'D' }),
    ...(first === undefined || isHeldUp ? others : [first, ...others]).map(clearing),
    ...atWork.flatMap(stopping),
    ...where(isOver || pullRequest?.state === 'merged', { deed: 'rollback', says: 'Roll back…' }),
    { deed: 'move', says: 'Move to…', keys: 'm' },
  ];
}

function approvalWords({ status, labels }: IssueDetail['issue']): string {
  return APPROVAL_WORDS[approvalSubject(status, labels)];
}

const APPROVAL_WORDS: Readonly<Record<ApprovalSubject, string>> = {
  specification: 'Approve the specification…',
  restart: 'Approve a new start…',
  merge: 'Approve the merge…',
};

function hasCrashed({ crashes, status }: WorkerView): boolean {
  return crashes > 0 || status === 'paused';
}

/** One that crashed too often waits for somebody to say that it may go on. */
function pausedFirst(one: WorkerView, other: WorkerView): number {
  return Number(other.status === 'paused') - Number(one.status === 'paused');
}

function clearing(worker: WorkerView): Offer {
  return { deed: 'reset', says: `Clear the crashes of ${worker.mode}…`, worker };
}

function stopping(worker: WorkerView): readonly Offer[] {
  return [
    { deed: 'stop', says: `Stop the ${worker.mode} worker…`, worker },
    { deed: 'restart', says: `Restart the ${worker.mode} worker…`, worker },
  ];
}

function where(holds: boolean, offer: Offer): readonly Offer[] {
  return holds ? [offer] : [];
}
