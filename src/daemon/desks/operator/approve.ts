/** A person's approval of what waits for one: the architect's output, or a merge. */

import { LegionError } from '../../../core/model/fault.ts';
import type { IssueId } from '../../../core/model/ids.ts';
import { readStatus } from '../../../core/model/status.ts';
import { type ApprovalSubject, approvalSubject } from '../../../domain/approval-subject.ts';
import type { Said } from '../../../protocol/operator.ts';
import { effectiveLabels } from '../../../swarm/effective-labels.ts';
import type { World } from '../../world.ts';
import { readIssue } from '../read-outside.ts';
import { readPullRequest } from '../read-pull-request.ts';
import { describeLegionHold } from './describe-legion-hold.ts';
import { howToClose, howToMerge, readRevert } from './read-revert.ts';
import { relabel } from './relabel.ts';
import { sayOnIssue } from './say-on-issue.ts';

export async function approve(world: World, issue: IssueId, by: string): Promise<Said> {
  const { labels: shown, column, enteredStatusAt = 0 } = await readIssue(world, issue);
  const labels = effectiveLabels(shown, world.ledger.swarm, issue);
  if (!labels.has('needs-approval'))
    throw new LegionError('approval.not_due', `${issue} does not wait for an approval`);
  await refuseWhileRevertIsOpen(world, issue);
  if (labels.has('human-approved')) return { says: `${issue} is approved already.` };
  // The name before the mark: an approval is never without one.
  await sayOnIssue(world, issue, by, `${issue}:approved:${enteredStatusAt}:${by}`, `Approved by ${by}.`);
  await relabel(world, issue, { add: ['human-approved'], remove: [] });
  world.wake(issue);
  const subject = approvalSubject(readStatus(column, world.settings().columns), [...labels]);
  return { says: `${await describeSubject(world, issue, subject)} ${describeNext(world, issue, labels)}` };
}

/** Work that starts now would build on the change that is to be reverted, and the revert would be forgotten. */
async function refuseWhileRevertIsOpen(world: World, issue: IssueId): Promise<void> {
  const revert = await readRevert(world, issue);
  if (revert === 'unknown')
    throw new LegionError('forge.unavailable', `The revert of ${issue} cannot be read now.`);
  if (revert?.state !== 'open') return;
  const { number, branch } = revert;
  const repository = world.repositories.of(issue);
  throw new LegionError(
    'approval.revert_open',
    `Pull request ${number} reverts the merge of ${issue} and is open: ${repository.base} still contains the change. Merge it first: ${howToMerge(repository, number)}. To keep the change instead, ${howToClose(repository, branch)}.`,
  );
}

async function describeSubject(world: World, issue: IssueId, subject: ApprovalSubject): Promise<string> {
  if (subject === 'specification') return `The specification of ${issue} is approved.`;
  if (subject === 'restart') return `A new start of ${issue} is approved.`;
  const found = await readPullRequest(world, issue);
  const at = found === null ? '' : ` (pull request ${found.number} at ${found.headSha.slice(0, 10)})`;
  return `The merge of ${issue}${at} is approved.`;
}

/** An approval does not end a pause, and a person who believes it does would wait in vain. */
function describeNext({ ledger }: World, issue: IssueId, labels: ReadonlySet<string>): string {
  if (labels.has('legion-paused')) return `It is still paused: \`legion resume ${issue}\` lets it continue.`;
  return describeLegionHold(ledger.swarm) ?? 'It continues.';
}
