/** Applies a person's approvals and rejections, and clears a rejection once its worker acted. */
import type { EventOf } from '../../model/event.ts';
import type { IssueId } from '../../model/ids.ts';
import type { Mode } from '../../model/mode.ts';
import type { ObservedStatus } from '../../model/status.ts';
import { REJECTED_WORK } from '../../pipeline/rejection.ts';
import { createIssueRecord, type LegionState, type Rejection } from '../state.ts';

export function evolveApproval(state: LegionState, event: EventOf<'approval.given'>): boolean {
  const { issue, approval, of, by, through, sha, specification, at } = event;
  const record = state.issues.get(issue) ?? createIssueRecord(issue);
  if (approval !== record.lastApproval + 1) return false;
  const given = { of, by, through, at, sha, specification };
  state.issues.set(issue, { ...record, lastApproval: approval, approval: given });
  return true;
}

export function evolveRejection(state: LegionState, event: EventOf<'work.rejected'>): boolean {
  const { issue, rejection, of, by, through, why, at } = event;
  // A rejection withdraws the approval before it.
  const { approval: _, ...record } = state.issues.get(issue) ?? createIssueRecord(issue);
  if (rejection !== record.lastRejection + 1) return false;
  const before = record.rejection?.of === of ? record.rejection.reasons : [];
  const reasons = [...before, { by, through, why, at }];
  state.issues.set(issue, {
    ...record,
    lastRejection: rejection,
    rejection: { of, reasons, ordered: false },
  });
  return true;
}

/**
 * Marks the rejection as ordered when its worker starts. Clears it when any other worker starts,
 * because a person has then chosen another way.
 */
export function recordRejectionDispatch(state: LegionState, issue: IssueId, mode: Mode): void {
  const rejection = state.issues.get(issue)?.rejection;
  if (rejection === undefined) return;
  const isItsWorker = REJECTED_WORK[rejection.of].mode === mode;
  setRejection(state, issue, isItsWorker ? { ...rejection, ordered: true } : undefined);
}

/** Clears the rejection when its worker has handed in a new result. */
export function recordRejectionReport(state: LegionState, issue: IssueId, mode: Mode): void {
  const rejection = state.issues.get(issue)?.rejection;
  if (rejection?.ordered === true && REJECTED_WORK[rejection.of].mode === mode)
    setRejection(state, issue, undefined);
}

/**
 * Clears the rejection when a person has moved the issue to a status in which the rejection does
 * not apply.
 */
export function recordRejectionMove(state: LegionState, issue: IssueId, status: ObservedStatus): void {
  const rejection = state.issues.get(issue)?.rejection;
  if (rejection !== undefined && !REJECTED_WORK[rejection.of].statuses.includes(status))
    setRejection(state, issue, undefined);
}

function setRejection(state: LegionState, issue: IssueId, rejection: Rejection | undefined): void {
  const { rejection: _, ...record } = state.issues.get(issue) ?? createIssueRecord(issue);
  state.issues.set(issue, rejection === undefined ? record : { ...record, rejection });
}
