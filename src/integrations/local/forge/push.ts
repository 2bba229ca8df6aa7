/** Pushes a workspace's commits to its branch in the local repository. Moves no other branch. */
import { LegionError } from '../../../core/model/fault.ts';
import { refuseBranch } from '../../forge-support/clean-text.ts';
import { fetchIncoming, INCOMING, isOwnWorkTree, toLastPushRef } from '../../forge-support/incoming.ts';
import { type GitRepository, toBranchRef } from '../../forge-support/repository.ts';
import type { LocalForgeContext } from './context.ts';

/**
 * Moves the branch forward. In a work tree of the repository the branch has already moved and only
 * needs to match the workspace's HEAD. From a separate clone, the commits are fetched. The branch
 * moves to a rewritten history only if it is still where the last push left it, so that other
 * people's commits are not lost.
 */
export async function pushBranch(
  { repository, ci }: LocalForgeContext,
  branch: string,
  workspace: string,
): Promise<string> {
  refuseBranch(branch, repository.base);
  const own = await isOwnWorkTree(repository, branch, workspace);
  const sha = own
    ? await requireBranchHead(repository, branch)
    : await fetchFrom(repository, branch, workspace);
  ci.start(branch, sha);
  return sha;
}

async function requireBranchHead(repository: GitRepository, branch: string): Promise<string> {
  const sha = await repository.commit(toBranchRef(branch));
  if (sha === undefined) throw new LegionError('forge.branch_missing', `${branch} has no commit yet`);
  return sha;
}

async function fetchFrom(repository: GitRepository, branch: string, workspace: string): Promise<string> {
  const to = await fetchIncoming(repository, branch, workspace);
  const from = await repository.commit(toBranchRef(branch));
  const lastPush = await repository.commit(toLastPushRef(branch));
  if (from !== to) await refuseLoss(repository, branch, { from, to, lastPush });
  const moved = await repository.transact([
    ...(from === to ? [] : [{ ref: toBranchRef(branch), to, from }]),
    ...(lastPush === to ? [] : [{ ref: toLastPushRef(branch), to, from: lastPush }]),
    { ref: INCOMING, delete: true },
  ]);
  if (moved) return to;
  throw new LegionError('forge.branch_moved', `${branch} was moved by another process during the push`);
}

interface BranchMove {
  readonly from: string | undefined;
  readonly to: string;
  readonly lastPush: string | undefined;
}

async function refuseLoss(
  repository: GitRepository,
  branch: string,
  { from, to, lastPush }: BranchMove,
): Promise<void> {
  const [folder] = await repository.workTreesOn(branch);
  if (folder !== undefined) {
    throw new LegionError('forge.branch_checked_out', `${branch} is checked out in ${folder}`);
  }
  if (from === undefined || from === lastPush || (await repository.isAncestor(from, to))) return;
  const left =
    lastPush === undefined ? 'nothing was pushed from here yet' : `the last push left it at ${lastPush}`;
  throw new LegionError(
    'forge.branch_moved',
    `${branch} is at ${from}, which ${to} does not contain; ${left}`,
  );
}
