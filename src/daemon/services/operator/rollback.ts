/**
 * Begins to undo the merge of an issue: opens the pull request that reverts it, and reopens the
 * issue.
 */
import type { EventBody } from '../../../core/model/event.ts';
import { LegionError } from '../../../core/model/fault.ts';
import type { IssueId } from '../../../core/model/ids.ts';
import type { LabelChange } from '../../../core/model/label.ts';
import type { Status } from '../../../core/model/status.ts';
import { createIssueRecord, type LegionState } from '../../../core/state/state.ts';
import type { RollbackAnswer } from '../../../protocol/operator.ts';
import { buildRecordedMove } from '../../commands/write-issue.ts';
import type { PortContext, StateContext } from '../../context/daemon-context.ts';
import type { Repository } from '../../context/repository.ts';
import { readIssue, readWithLimit } from '../read-outside.ts';
import { postIssueComment, relabelIssue } from './relabel.ts';
import { explainHowToMerge, explainHowToReopen } from './reverts.ts';

/**
 * Planning starts again, because the plan led to the change that is reverted. The architect's
 * specification is kept.
 */
const ROLLBACK_STATUS: Status = 'Todo';

/**
 * These labels block all starts until a person has merged the revert and said what was wrong. A
 * worker that started earlier would repeat the mistake.
 */
const ROLLBACK_LABELS: LabelChange = {
  add: ['rollback', 'needs-approval'],
  remove: ['auto-merged', 'human-approved', 'worker-done', 'worker-active'],
};

interface MergeToRevert {
  readonly pullRequest: number;
  readonly headSha: string;
  readonly mergedSha: string;
}

export async function rollBackIssue(
  context: StateContext & PortContext,
  issue: IssueId,
  by: string,
): Promise<RollbackAnswer> {
  const { labels } = await readIssue(context, issue);
  const landed = await findLandedMerge(context, issue);
  const undone = context.ledger.state.issues.get(issue)?.merged?.undone;
  if (landed === undefined && undone === undefined)
    throw new LegionError('rollback.not_merged', `${issue} has no merged pull request.`);
  const revert =
    landed === undefined
      ? { number: undone?.revert ?? 0, branch: undone?.branch ?? '' }
      : await openRevert(context, issue, landed, by);
  // Finishes a rollback that was interrupted. If the rollback was already finished, repeating it
  // must not undo what people have changed since.
  if (landed !== undefined || !labels.includes('rollback')) await reopenIssue(context, issue, revert, by);
  return describeRevert(context, issue, revert);
}

/**
 * Returns the merge to roll back: the one in the journal or, if the journal has none, one that only
 * the forge knows about.
 */
async function findLandedMerge(
  { ledger, repositories }: StateContext & PortContext,
  issue: IssueId,
): Promise<MergeToRevert | undefined> {
  const known = ledger.state.issues.get(issue)?.merged;
  if (known !== undefined && known.undone === undefined) return known;
  const { forge } = repositories.require(issue);
  const found = (await readWithLimit((signal) => forge.pullRequests([issue], signal))).get(issue);
  if (found === 'unknown')
    throw new LegionError('forge.unavailable', `The pull request of ${issue} could not be read.`);
  if (found?.state !== 'merged' || found.number === known?.pullRequest) return undefined;
  return { pullRequest: found.number, headSha: found.headSha, mergedSha: found.mergedSha ?? '' };
}

/**
 * Opens the revert. If the merge already has a revert, the forge returns the existing one, so an
 * interrupted call can be repeated.
 */
async function openRevert(
  context: StateContext & PortContext,
  issue: IssueId,
  landed: MergeToRevert,
  by: string,
): Promise<OpenedRevert> {
  const revert = await context.repositories
    .require(issue)
    .forge.revert(landed.pullRequest, { issue, author: by });
  await context.ledger.append((state) => buildUndoEvents(state, issue, landed, revert, by));
  return revert;
}

function buildUndoEvents(
  state: LegionState,
  issue: IssueId,
  landed: MergeToRevert,
  revert: OpenedRevert,
  by: string,
): EventBody[] {
  const record = state.issues.get(issue) ?? createIssueRecord(issue);
  const { pullRequest, headSha, mergedSha } = landed;
  const isKnown = record.merged?.pullRequest === pullRequest;
  if (isKnown && record.merged?.undone !== undefined) return [];
  const merge = record.lastMerge + (isKnown ? 0 : 1);
  const landing: EventBody[] = isKnown
    ? []
    : [{ type: 'merge.landed', issue, merge, pullRequest, headSha, mergedSha, auto: false }];
  return [
    ...landing,
    { type: 'merge.undone', issue, merge, revert: revert.number, branch: revert.branch, by },
    { type: 'rounds.reset', issue, generation: record.generation + 1, by },
  ];
}

async function reopenIssue(
  context: StateContext & PortContext,
  issue: IssueId,
  { number }: OpenedRevert,
  by: string,
): Promise<void> {
  const repository = context.repositories.require(issue);
  const text = [
    `${by} requested a rollback: pull request ${number} reverts the merge.`,
    `${repository.base} contains the change until the revert is merged: ${explainHowToMerge(repository, number)}.`,
    'Say here what was wrong with the change.',
  ].join(' ');
  await postIssueComment(context, issue, by, `${issue}:rollback:${number}`, text);
  await relabelIssue(context, issue, ROLLBACK_LABELS);
  await context.tracker.move(issue, ROLLBACK_STATUS);
  context.boardView.recordWrite(issue, ROLLBACK_LABELS, buildRecordedMove(context, ROLLBACK_STATUS));
  context.wake(issue);
}

interface OpenedRevert {
  readonly number: number;
  readonly branch: string;
}

/**
 * Describes the state of a revert. An open revert changes nothing on the base until it is merged.
 */
async function describeRevert(
  context: PortContext,
  issue: IssueId,
  { number, branch }: OpenedRevert,
): Promise<RollbackAnswer> {
  const repository = context.repositories.require(issue);
  const { base, forge } = repository;
  const found = (await readWithLimit((signal) => forge.pullRequests([branch], signal))).get(branch);
  const state = found === 'unknown' ? 'unknown' : (found?.state ?? 'closed');
  const says = [
    `Pull request ${number} (branch ${branch}), which reverts the merge of ${issue}, ${describeState(repository, number, state)}`,
    `${issue} is open again. Post a comment that says what was wrong; \`legion approve ${issue}\` starts the work again${state === 'open' ? ' once the revert is merged' : ''}.`,
  ].join(' ');
  const url = repository.addressOf?.(number);
  return { says, pullRequest: number, branch, base, state, ...(url !== undefined && { url }) };
}

function describeState(repository: Repository, number: number, state: RollbackAnswer['state']): string {
  const { base } = repository;
  switch (state) {
    case 'merged':
      return `is merged: ${base} no longer contains the change.`;
    case 'open':
      return `is open, and ${base} still contains the change. To remove the change, merge the revert: ${explainHowToMerge(repository, number)}.`;
    case 'closed':
      return `was closed without being merged: ${base} still contains the change. To remove the change, ${explainHowToReopen(repository, number)}.`;
    case 'unknown':
      return 'cannot be read at the moment.';
  }
}
