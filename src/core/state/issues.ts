/** Reads issue records: an issue's own decision and its open questions. */
import { getActionKind } from '../model/action.ts';
import type { EventBody } from '../model/event.ts';
import { type IssueId, toWorkerId } from '../model/ids.ts';
import { hasEnded, toLifecycleState } from '../model/lifecycle.ts';
import type { Mode } from '../model/mode.ts';
import type { IssueRecord, MadeDecision } from './state.ts';
import { createIssueRecord, type LegionState } from './state.ts';

export const LEGION_HOLDS: ReadonlySet<string> = new Set(['halted', 'legion_paused']);

/**
 * Returns the issue's own decision. Ignores a legion-wide hold, which says nothing about the issue
 * itself.
 */
export function findDecisionWithoutHold(record: IssueRecord | undefined): MadeDecision | undefined {
  const { decision, decisionBeforeHold } = record ?? {};
  return decision !== undefined && LEGION_HOLDS.has(decision.reason) ? decisionBeforeHold : decision;
}

/**
 * Returns whether the decision continues the same wait. For a retry this is true even if its reason
 * changes, because its limit is measured from its first try.
 */
export function isSameWait(
  before: IssueRecord['decision'],
  { action, reason }: Pick<MadeDecision, 'action' | 'reason'>,
): before is MadeDecision {
  return before?.action === action && (before.reason === reason || getActionKind(action) === 'retry');
}

export interface OpenQuestion {
  readonly question: number;
  readonly mode: Mode;
  readonly text: string;
  readonly askedAt: number;
}

/**
 * Returns unanswered questions whose worker is still waiting: in the attempt that asked, or in a
 * later one that asked the same question again. If the worker is gone but the issue is still
 * waiting for a person, the worker's last question counts as open. Sorted oldest first.
 */
export function listOpenQuestions(
  state: LegionState,
  issue: IssueId,
  labels: ReadonlySet<string>,
): OpenQuestion[] {
  const record = state.issues.get(issue);
  const waits = labels.has('user-input-needed') && !labels.has('user-feedback-given');
  return Object.entries(record?.questions ?? {}).flatMap(([number, entry]) => {
    const { mode, attempt, text, askedAt, answer } = entry;
    const question = Number(number);
    const isLast = waits && question === record?.lastQuestion;
    const isOpen = answer === undefined && (isLast || isWaitedFor(state, issue, mode, attempt));
    return isOpen ? [{ question, mode, text, askedAt }] : [];
  });
}

/**
 * Adds both labels. Without `user-input-needed`, which a person may have removed, the answer would
 * never be relayed.
 */
export function buildFeedbackEvent(state: LegionState, issue: IssueId): EventBody {
  const { lastOwed } = state.issues.get(issue) ?? createIssueRecord(issue);
  const add: ('user-input-needed' | 'user-feedback-given')[] = ['user-input-needed', 'user-feedback-given'];
  return { type: 'labels.owed', issue, revision: lastOwed + 1, add, remove: [] };
}

function isWaitedFor(legion: LegionState, issue: IssueId, mode: Mode, attempt: number): boolean {
  const worker = legion.workers.get(toWorkerId(issue, mode));
  if (worker === undefined) return false;
  const state = toLifecycleState(worker.facts);
  return state === 'waiting-user' || (worker.attempt === attempt && !hasEnded(state));
}
