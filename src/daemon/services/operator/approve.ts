/**
 * Records a person's approval of the architect's specification, a merge, or a new start after a
 * rollback.
 */

import type { EventBody } from '../../../core/model/event.ts';
import { LegionError } from '../../../core/model/fault.ts';
import type { IssueId } from '../../../core/model/ids.ts';
import type { EntryPoint } from '../../../core/model/issue.ts';
import { createIssueRecord, type LegionState } from '../../../core/state/state.ts';
import type { ApprovalView, ApproveAnswer, ApproveRequest } from '../../../protocol/operator.ts';
import type { PortContext, StateContext } from '../../context/daemon-context.ts';
import { evaluateNow } from '../../context/evaluator.ts';
import { readWithLimit } from '../read-outside.ts';
import { describeLegionHold } from './hold.ts';
import { postIssueComment, relabelIssue } from './relabel.ts';
import { explainHowToClose, explainHowToMerge, readRevert } from './reverts.ts';
import { showApproval } from './show-approval.ts';

export async function approveIssue(
  context: StateContext & PortContext,
  issue: IssueId,
  { by, through, version }: ApproveRequest,
): Promise<ApproveAnswer> {
  const evaluation = await evaluateNow(context, issue, readWithLimit);
  const { signals, seen } = evaluation;
  const { labels } = signals;
  refuseRejected(context, issue);
  if (!labels.has('needs-approval'))
    throw new LegionError('approval.not_due', `${issue} is not waiting for approval.`);
  await refuseWhileRevertIsOpen(context, issue);
  const approval = showApproval(context, evaluation);
  if (version !== undefined && version !== approval.version)
    throw new LegionError('approval.changed', `${issue} has changed since you saw it.`);
  if (labels.has('human-approved')) return { says: `${issue} is already approved.`, approval };
  if (approval.subject === 'merge' && approval.change === undefined)
    throw new LegionError('forge.unavailable', `The pull request of ${issue} cannot be read now.`);
  // The comment is posted before the label is set, so that every approval shows who gave it.
  const key = `${issue}:approved:${seen.issue.enteredStatusAt ?? 0}:${by}`;
  await postIssueComment(context, issue, by, key, `Approved by ${by}.`);
  // The label is written before the event: once the event exists, the loop may move the issue and
  // clear its labels, and a label written after that would stay.
  await relabelIssue(context, issue, { add: ['human-approved'], remove: [] });
  await context.ledger.append((state) => [buildApprovalEvent(state, issue, approval, by, through)]);
  context.wake(issue);
  return {
    says: `${describeSubject(issue, approval)} ${describeNext(context, issue, labels)}`,
    approval,
  };
}

/** Binds the approval to exactly what was shown. */
function buildApprovalEvent(
  state: LegionState,
  issue: IssueId,
  { subject: of, change }: ApprovalView,
  by: string,
  through: EntryPoint,
): EventBody {
  const { lastApproval, specification } = state.issues.get(issue) ?? createIssueRecord(issue);
  const approval = lastApproval + 1;
  const given = { type: 'approval.given', issue, approval, of, by, through } as const;
  if (of === 'merge') return { ...given, sha: change?.headSha };
  return of === 'specification' ? { ...given, specification } : given;
}

/** A rejection that no worker has acted on yet wins over a later approval. */
function refuseRejected({ ledger }: StateContext, issue: IssueId): void {
  const rejection = ledger.state.issues.get(issue)?.rejection;
  const last = rejection?.reasons.at(-1);
  if (rejection?.ordered !== false || last === undefined) return;
  throw new LegionError(
    'approval.rejected',
    `${last.by} has rejected the ${rejection.of} of ${issue}: ${last.why}`,
  );
}

/**
 * Refuses a new start while the revert is open: the work would build on the change that is to be
 * reverted, and the revert would be forgotten.
 */
async function refuseWhileRevertIsOpen(context: StateContext & PortContext, issue: IssueId): Promise<void> {
  const revert = await readRevert(context, issue);
  if (revert === 'unknown')
    throw new LegionError('forge.unavailable', `The revert of ${issue} cannot be read at the moment.`);
  if (revert?.state !== 'open') return;
  const { number, branch } = revert;
  const repository = context.repositories.require(issue);
  throw new LegionError(
    'approval.revert_open',
    `Pull request ${number} reverts the merge of ${issue} and is open: ${repository.base} still contains the change. Merge it first: ${explainHowToMerge(repository, number)}. To keep the change instead, ${explainHowToClose(repository, branch)}.`,
  );
}

function describeSubject(issue: IssueId, { subject, change }: ApprovalView): string {
  if (subject === 'specification') return `The specification of ${issue} is approved.`;
  if (subject === 'restart') return `A new start of ${issue} is approved.`;
  const at =
    change === undefined ? '' : ` (pull request ${change.pullRequest} at ${change.headSha.slice(0, 10)})`;
  return `The merge of ${issue}${at} is approved.`;
}

/**
 * Says what happens next. If the issue is paused, the answer says so, because an approval does not
 * end a pause and the person would wait in vain.
 */
function describeNext({ ledger }: StateContext, issue: IssueId, labels: ReadonlySet<string>): string {
  if (labels.has('legion-paused')) return `It is still paused: \`legion resume ${issue}\` lets it continue.`;
  return describeLegionHold(ledger.state) ?? 'It continues.';
}
