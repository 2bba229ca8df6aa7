/** Shows people what they have to approve before an issue can continue. */

import { judgeApproval } from '../../../core/state/approval.ts';
import { describeApproval } from '../../../core/state/describe-approval.ts';
import type { IssueEvaluation } from '../../../core/state/evaluate.ts';
import type { ApprovalView, IssueExplanation } from '../../../protocol/operator.ts';
import type { PortContext, StateContext } from '../../context/daemon-context.ts';

/** Adds the address of the pull request to the description. */
export function showApproval(
  { ledger, repositories }: StateContext & PortContext,
  evaluation: Pick<IssueEvaluation, 'seen' | 'signals' | 'policy'>,
): ApprovalView {
  const { id } = evaluation.seen.issue;
  const { change, ...described } = describeApproval(ledger.state.issues.get(id), evaluation);
  if (change === undefined) return described;
  const url = repositories.find(id)?.addressOf?.(change.pullRequest);
  return { ...described, change: { ...change, url } };
}

/** Returns what is waiting for approval. Undefined if nothing is. */
export function findApproval(
  context: StateContext & PortContext,
  evaluation: Pick<IssueEvaluation, 'seen' | 'signals' | 'policy'>,
): ApprovalView | undefined {
  const { labels, rejected } = evaluation.signals;
  const isDue = labels.has('needs-approval') && !labels.has('human-approved') && rejected === undefined;
  return isDue ? showApproval(context, evaluation) : undefined;
}

const WHY_NOT = {
  valid: undefined,
  void: 'What was approved has changed since.',
  unknown: 'The changes since the approval cannot be read now.',
} as const;

/**
 * Returns the last approval that concerns the issue's current step, even if it is no longer valid.
 * Undefined if there is none.
 */
export function findGivenApproval(
  { ledger }: StateContext,
  { seen, signals, policy }: Pick<IssueEvaluation, 'seen' | 'signals' | 'policy'>,
): IssueExplanation['approved'] {
  const record = ledger.state.issues.get(seen.issue.id);
  const counts = judgeApproval(record, seen, signals.labels, policy);
  if (record?.approval === undefined || counts === 'none') return undefined;
  return { ...record.approval, counts, why: WHY_NOT[counts] };
}
