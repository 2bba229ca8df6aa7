/** Undoes a merged pull request by a new one on GitHub, whatever came onto the base since. */
import { LegionError } from '../../core/model/fault.ts';
import type { BeforeRevertingQuery } from '../../integrations/github/generated/forge.ts';
import type { RevertRequest } from '../../ports/forge.ts';
import { identityOf } from '../identity.ts';
import { revertBranch, revertTitle, undo, undoes } from '../undo.ts';
import { askRepository, type FoundRepository } from './ask-one.ts';
import type { Desk } from './desk.ts';
import { findRevert, open } from './open-one.ts';
import { BEFORE_REVERTING } from './write-documents.ts';

/**
 * Only under the lock of the clone. By git and not by GitHub's own revert, which makes another branch at each try whose answer
 * gets lost. A second call finds the pull request, or the branch, of the first.
 */
export async function revert(
  desk: Desk,
  number: number,
  request: RevertRequest,
): Promise<{ readonly number: number; readonly branch: string }> {
  const { pullRequest } = await askRepository<BeforeRevertingQuery>(desk, BEFORE_REVERTING, { number });
  const { mergeCommit, headRefName, state } = pullRequest;
  if (mergeCommit === null || state !== 'MERGED')
    throw new LegionError('forge.not_merged', `pull request ${number} is ${state.toLowerCase()}`);
  const branch = revertBranch(number, headRefName);
  const earlier = await findRevert(desk, branch, number);
  if (earlier !== undefined) return { number: earlier, branch };
  await makeBranch(desk, branch, pullRequest, mergeCommit.oid, request);
  const title = revertTitle(pullRequest.title);
  const body = `Reverts #${number} (${mergeCommit.oid}).`;
  return { number: await open(desk, branch, { ...request, title, body, draft: false }, number), branch };
}

type Reverted = FoundRepository<BeforeRevertingQuery>['pullRequest'];

async function makeBranch(
  { clone, base: baseName, identity }: Desk,
  branch: string,
  pullRequest: Reverted,
  commit: string,
  { issue }: RevertRequest,
): Promise<void> {
  const { repository } = clone;
  const [base, head] = [await clone.headOf(baseName), await clone.headOf(branch)];
  if (base === undefined)
    throw new LegionError('forge.base_missing', `the branch ${baseName} is not on GitHub`);
  await clone.bring([base, commit, ...(head === undefined ? [] : [head])]);
  if (head !== undefined) {
    if (await undoes(repository, head, base, pullRequest.number)) return;
    throw new LegionError('forge.branch_refused', `there is another branch ${branch} already`);
  }
  const { number, title } = pullRequest;
  const { out: before } = await repository.run(['rev-parse', '--verify', `${commit}~${landed(pullRequest)}`]);
  const undoing = {
    number,
    title,
    commit,
    before: before.trim(),
    base,
    issue,
    identity: identityOf(await identity()),
  };
  await clone.move(branch, undefined, await undo(repository, undoing));
}

/**
 * How many commits of the base it became: a person may have let GitHub rebase it, which keeps each commit with its message. A
 * squash or a merge is one.
 */
function landed({ mergeCommit, commits }: Reverted): number {
  const isRebased =
    mergeCommit?.parents.totalCount === 1 && mergeCommit.message === commits.nodes?.[0]?.commit.message;
  return isRebased ? commits.totalCount : 1;
}
