/** Undoes a merged pull request by a new one, whatever came onto the base since. */
import { LegionError } from '../../domain/fault.ts';
import type { RevertRequest } from '../forge.ts';
import { mergeInMemory } from './compare.ts';
import type { Desk } from './desk.ts';
import type { MergeAttempt, PullRequestRecord } from './record.ts';
import { branchRef, type Repository } from './repository.ts';
import { settled } from './settle.ts';
import { revertTrailer } from './squash-message.ts';
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
  const branch = `revert-${number}-${record.branch}`;
  if (!(await isBranchOfRevert(repository, branch, number))) {
    await makeBranch(desk, branch, record, record.merged, request);
  }
  const title = revertTitle(record);
  const body = `Reverts #${number} (${record.merged.commit}).`;
  return { number: await open(desk, branch, { ...request, title, body, draft: false }, number), branch };
}

/** A branch of this name that somebody else made is not touched: making ours then fails, and says so. */
async function isBranchOfRevert(repository: Repository, branch: string, number: number): Promise<boolean> {
  const head = await repository.commit(branchRef(branch));
  if (head === undefined) return false;
  const { out } = await repository.run(['log', '--format=%B', `${branchRef(repository.base)}..${head}`]);
  const { out: own } = await repository.run(['log', '-1', '--format=%B', head]);
  if (`${out}\n${own}`.split('\n').includes(revertTrailer(number))) return true;
  throw new LegionError('forge.branch_refused', `there is another branch ${branch} already`);
}

async function makeBranch(
  { repository, identity }: Desk,
  branch: string,
  record: PullRequestRecord,
  merged: MergeAttempt,
  { issue }: RevertRequest,
): Promise<void> {
  const base = await repository.commit(branchRef(repository.base));
  if (base === undefined)
    throw new LegionError('forge.base_missing', `the branch ${repository.base} is gone`);
  const make = async (tree: string, parent: string, message: string) => {
    const args = ['commit-tree', tree, '-p', parent];
    return (await repository.run(args, { input: message, env: identity })).out.trim();
  };
  // A commit that undoes the merge right after it; merging that into the base carries only the undoing over.
  const undone = await make(`${merged.baseSha}^{tree}`, merged.commit, 'undo');
  const result = await mergeInMemory(repository, base, undone);
  if ('conflicts' in result) {
    const where = `${merged.commit} conflicts with ${repository.base} in ${result.conflicts.join(', ')}`;
    throw new LegionError('forge.revert_conflict', where);
  }
  const { out: tree } = await repository.run(['rev-parse', `${base}^{tree}`]);
  if (tree.trim() === result.tree) {
    throw new LegionError(
      'forge.nothing_to_merge',
      `nothing of pull request ${record.number} is left to undo`,
    );
  }
  const trailers = `Legion-Issue: ${issue}\n${revertTrailer(record.number)}`;
  const to = await make(
    result.tree,
    base,
    `${revertTitle(record)}\n\nThis reverts commit ${merged.commit}.\n\n${trailers}\n`,
  );
  if (await repository.transact([{ ref: branchRef(branch), to, from: undefined }])) return;
  throw new LegionError('git.failed', `git could not make the branch ${branch}`);
}

/** A long title is cut: it is a name, and the number is in the text. */
function revertTitle({ title }: PullRequestRecord): string {
  return `Revert "${title.slice(0, 240)}"`;
}
