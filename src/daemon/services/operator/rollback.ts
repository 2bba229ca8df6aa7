/** Begins to undo the merge of an issue: opens the pull request that reverts it, and reopens the issue. */
import type { EventBody } from '../../../core/model/event.ts';
import { LegionError } from '../../../core/model/fault.ts';
import type { IssueId } from '../../../core/model/ids.ts';
import type { Status } from '../../../core/model/status.ts';
import { newIssueRecord, type Swarm } from '../../../core/state/state.ts';
import type { LabelChange } from '../../../domain/label.ts';
import type { RollbackAnswer } from '../../../protocol/merging.ts';
import { moveOf } from '../../commands/write-issue.ts';
import { howToMerge, howToReopen } from '../../desks/operator/read-revert.ts';
import { relabel } from '../../desks/operator/relabel.ts';
import { sayOnIssue } from '../../desks/operator/say-on-issue.ts';
import { readIssue, reading } from '../../desks/read-outside.ts';
import type { Repository } from '../../repository.ts';
import type { World } from '../../world.ts';

/** The plan led to what is reverted, so it is made again; what the architect specified still holds. */
const BACK_TO: Status = 'Todo';

/** No worker starts before a person has merged the revert and said what was wrong: it would repeat the mistake. */
const MARKS: LabelChange = {
  add: ['rollback', 'needs-approval'],
  remove: ['auto-merged', 'human-approved', 'worker-done', 'worker-active'],
};

interface Landed {
  readonly pullRequest: number;
  readonly headSha: string;
  readonly mergedSha: string;
}

export async function rollback(world: World, issue: IssueId, by: string): Promise<RollbackAnswer> {
  const { labels } = await readIssue(world, issue);
  const landed = await landedMerge(world, issue);
  const undone = world.ledger.swarm.issues.get(issue)?.merged?.undone;
  if (landed === undefined && undone === undefined)
    throw new LegionError('rollback.not_merged', `${issue} has no merged pull request`);
  const revert =
    landed === undefined
      ? { number: undone?.revert ?? 0, branch: undone?.branch ?? '' }
      : await revertOf(world, issue, landed, by);
  // Finishes what was cut short before; what is finished stays as people have changed it since.
  if (landed !== undefined || !labels.includes('rollback')) await reopen(world, issue, revert, by);
  return describeRevert(world, issue, revert);
}

/** The merge that counts now: of the journal, else one the forge alone knows of. */
async function landedMerge({ ledger, repositories }: World, issue: IssueId): Promise<Landed | undefined> {
  const known = ledger.swarm.issues.get(issue)?.merged;
  if (known !== undefined && known.undone === undefined) return known;
  const { forge } = repositories.of(issue);
  const found = (await reading((signal) => forge.pullRequests([issue], signal))).get(issue);
  if (found === 'unknown')
    throw new LegionError('forge.unavailable', `the pull request of ${issue} could not be read`);
  if (found?.state !== 'merged' || found.number === known?.pullRequest) return undefined;
  return { pullRequest: found.number, headSha: found.headSha, mergedSha: found.mergedSha ?? '' };
}

/** The forge returns an earlier revert of the same merge, so a call that was cut short can be repeated. */
async function revertOf(world: World, issue: IssueId, landed: Landed, by: string): Promise<Revert> {
  const revert = await world.repositories.of(issue).forge.revert(landed.pullRequest, { issue, author: by });
  await world.ledger.append((swarm) => undoing(swarm, issue, landed, revert, by));
  return revert;
}

function undoing(swarm: Swarm, issue: IssueId, landed: Landed, revert: Revert, by: string): EventBody[] {
  const record = swarm.issues.get(issue) ?? newIssueRecord(issue);
  const { pullRequest, headSha, mergedSha } = landed;
  const isKnown = record.merged?.pullRequest === pullRequest;
  if (isKnown && record.merged?.undone !== undefined) return [];
  const merge = record.lastMerge + (isKnown ? 0 : 1);
  const told: EventBody[] = isKnown
    ? []
    : [{ type: 'merge.landed', issue, merge, pullRequest, headSha, mergedSha, auto: false }];
  return [
    ...told,
    { type: 'merge.undone', issue, merge, revert: revert.number, branch: revert.branch, by },
    { type: 'rounds.reset', issue, generation: record.generation + 1, by },
  ];
}

async function reopen(world: World, issue: IssueId, { number }: Revert, by: string): Promise<void> {
  const repository = world.repositories.of(issue);
  const text = [
    `${by} requested a rollback: pull request ${number} reverts the merge.`,
    `${repository.base} contains the change until it is merged: ${howToMerge(repository, number)}.`,
    'Say here what was wrong with the change.',
  ].join(' ');
  await sayOnIssue(world, issue, by, `${issue}:rollback:${number}`, text);
  await relabel(world, issue, MARKS);
  await world.tracker.move(issue, BACK_TO);
  world.view.noteWrite(issue, MARKS, moveOf(world, BACK_TO));
  world.wake(issue);
}

interface Revert {
  readonly number: number;
  readonly branch: string;
}

/** Says where a revert stands: opening it changes nothing on the base until it is merged. */
async function describeRevert(
  world: World,
  issue: IssueId,
  { number, branch }: Revert,
): Promise<RollbackAnswer> {
  const repository = world.repositories.of(issue);
  const { base, forge } = repository;
  const found = (await reading((signal) => forge.pullRequests([branch], signal))).get(branch);
  const state = found === 'unknown' ? 'unknown' : (found?.state ?? 'closed');
  const says = [
    `Pull request ${number} (branch ${branch}), which reverts the merge of ${issue}, ${describeState(repository, number, state)}`,
    `${issue} is open again: say on it what was wrong; \`legion approve ${issue}\` starts the work again${state === 'open' ? ' once the revert is merged' : ''}.`,
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
      return `is open, and ${base} still contains the change. To take it out, merge the revert: ${howToMerge(repository, number)}.`;
    case 'closed':
      return `was closed without being merged: ${base} still contains the change. To take it out, ${howToReopen(repository, number)}.`;
    case 'unknown':
      return 'cannot be read now.';
  }
}
