/** Undoes a merged pull request by a new one, whatever came onto the base since. */
import { LegionError } from '../../core/model/fault.ts';
import { branchRef, type Repository } from '../../integrations/forge-support/repository.ts';
import type { RevertRequest } from '../../ports/forge.ts';
import { revertBranch, revertTitle, undo, undoes } from '../undo.ts';
import type { Desk } from './desk.ts';
import type { MergeAttempt, PullRequestRecord } from './record.ts';
import { settled } from './settle.ts';
import { open } from './write.ts';

/** Only under the lock of the repository. A second call finds the branch, or the pull request, of the first. */
export async function revert(
  desk: Desk,
  number: number,
  request: RevertRequest,
): Promise<{ readonly number: number; readonly branch: string }> {
  const { repository, records, clock } = desk;
  const record = await settled(repository, await records.byNumber(number), clock.now());
  if (record.merged === undefined) {
    throw new LegionError('forge.not_merged', `pull request ${number} is ${record.state}`);
  }
  const branch = revertBranch(number, record.branch);
  if (!(await isBranchOfRevert(repository, branch, number))) {
    await makeBranch(desk, branch, record, record.merged, request);
  }
  const title = revertTitle(record.title);
  const body = `Reverts #${number} (${record.merged.commit}).`;
  return { number: await open(desk, branch, { ...request, title, body, draft: false }, number), branch };
}

/** A branch of this name that somebody else made is not touched: making ours then fails, and says so. */
async function isBranchOfRevert(repository: Repository, branch: string, number: number): Promise<boolean> {
  const head = await repository.commit(branchRef(branch));
  if (head === undefined) return false;
  if (await undoes(repository, head, branchRef(repository.base), number)) return true;
  throw new LegionError('forge.branch_refused', `there is another branch ${branch} already`);
}

async function makeBranch(
  { repository, identity }: Desk,
  branch: string,
  { number, title }: PullRequestRecord,
  { commit, baseSha: before }: MergeAttempt,
  { issue }: RevertRequest,
): Promise<void> {
  const base = await repository.commit(branchRef(repository.base));
  if (base === undefined)
    throw new LegionError('forge.base_missing', `the branch ${repository.base} is gone`);
  const to = await undo(repository, { number, title, commit, before, base, issue, identity });
  if (await repository.transact([{ ref: branchRef(branch), to, from: undefined }])) return;
  throw new LegionError('git.failed', `git could not make the branch ${branch}`);
}
