/**
 * Records a person's approval of the architect's specification, a merge, or a new start after a
 * rollback.
 */

import { LegionError } from '../../../core/model/fault.ts';
import type { IssueId } from '../../../core/model/ids.ts';
import { type ApprovalSubject, resolveApprovalSubject } from '../../../core/model/issue.ts';
import { readStatus } from '../../../core/model/status.ts';
import { computeEffectiveLabels } from '../../../core/state/effective-labels.ts';
import type { ActionAnswer } from '../../../protocol/operator.ts';
import type { PortContext, StateContext } from '../../context/daemon-context.ts';
import { readIssue, readPullRequest } from '../read-outside.ts';
import { describeLegionHold } from './hold.ts';
import { postIssueComment, relabelIssue } from './relabel.ts';
import { explainHowToClose, explainHowToMerge, readRevert } from './reverts.ts';

export async function approveIssue(
  context: StateContext & PortContext,
  issue: IssueId,
  by: string,
): Promise<ActionAnswer> {
  const { labels: shown, column, enteredStatusAt = 0 } = await readIssue(context, issue);
  const labels = computeEffectiveLabels(shown, context.ledger.state, issue);
  if (!labels.has('needs-approval'))
    throw new LegionError('approval.not_due', `${issue} is not waiting for approval.`);
  await refuseWhileRevertIsOpen(context, issue);
  if (labels.has('human-approved')) return { says: `${issue} is already approved.` };
  // The comment is posted before the label is set, so that every approval shows who gave it.
  await postIssueComment(
    context,
    issue,
    by,
    `${issue}:approved:${enteredStatusAt}:${by}`,
    `Approved by ${by}.`,
  );
  await relabelIssue(context, issue, { add: ['human-approved'], remove: [] });
  context.wake(issue);
  const subject = resolveApprovalSubject(readStatus(column, context.settings().columns), [...labels]);
  return {
    says: `${await describeSubject(context, issue, subject)} ${describeNext(context, issue, labels)}`,
  };
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

async function describeSubject(
  context: StateContext & PortContext,
  issue: IssueId,
  subject: ApprovalSubject,
): Promise<string> {
  if (subject === 'specification') return `The specification of ${issue} is approved.`;
  if (subject === 'restart') return `A new start of ${issue} is approved.`;
  const found = await readPullRequest(context, issue);
  const at = found === null ? '' : ` (pull request ${found.number} at ${found.headSha.slice(0, 10)})`;
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
