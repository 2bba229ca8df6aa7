/** Finds the one action that ends an issue's wait. Pure. */
import type { IssueExplanation } from '../../../../../src/protocol/operator.ts';
import type { AvailableAction } from '../actions/available-actions.ts';

type ActionName = AvailableAction['action'];

/**
 * The action that ends a wait, by the reason of the decision to wait. Waits for other reasons end
 * by themselves or outside this page.
 */
const ACTION_BY_REASON: Readonly<Record<string, ActionName>> = {
  waits_for_answer: 'answer',
  waits_for_approval: 'approve',
  revert_open: 'mergeRevert',
  paused: 'resume',
  halted: 'resume_legion',
  legion_paused: 'resume_legion',
  breaker_open: 'resume_legion',
  unclarified: 'edit',
  parked: 'move',
  unknown_status: 'move',
};

/**
 * Offered before an approval: approving restarts the work, which makes sense only once the revert
 * is merged.
 */
const BEFORE_APPROVAL: ActionName = 'mergeRevert';

/**
 * Actions that are offered even if the last decision does not require them, because labels may have
 * changed since that decision.
 */
const URGENT: readonly ActionName[] = ['answer', 'approve', 'resume'];

export function findWaitEndingAction(
  available: readonly AvailableAction[],
  state: IssueExplanation['state'] | undefined,
  isAutomatic: boolean,
): AvailableAction | undefined {
  const wanted = state && ACTION_BY_REASON[state.reason];
  const byReason =
    (wanted === 'approve' ? available.find(({ action }) => action === BEFORE_APPROVAL) : undefined) ??
    available.find(({ action }) => action === wanted);
  const urgentAction = available.find(
    ({ action, worker }) => URGENT.includes(action) || (action === 'reset' && worker?.status === 'paused'),
  );
  const isDue = !isAutomatic && state !== undefined && state.suggestedAction !== 'skip';
  return (
    byReason ?? urgentAction ?? (isDue ? available.find(({ action }) => action === 'advance') : undefined)
  );
}
