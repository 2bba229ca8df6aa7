/** Brings the commits of a workspace to the branch of the repository, and moves nothing else. */
import { LegionError } from '../../../core/model/fault.ts';
import { refuseBranch } from '../../../forges/branch-name.ts';
import { INCOMING, lastPushRef, takeIn } from '../../../forges/incoming.ts';
import type { Desk } from '../../../forges/local/desk.ts';
import { standsOn } from '../../forge-support/incoming.ts';
import { branchRef, type Repository } from '../../forge-support/repository.ts';

/**
 * In a work tree of the repository the branch is already there, and only has to be what the workspace stands on. From a
 * clone the commits are fetched. The branch moves forward; it moves to a rewritten history only while it still stands where
 * the last push left it, so that nobody else's commits are lost.
 */
export async function push({ repository, ci }: Desk, branch: string, workspace: string): Promise<string> {
  refuseBranch(branch, repository.base);
  const own = await standsOn(repository, branch, workspace);
  const sha = own ? await branchHead(repository, branch) : await fetchFrom(repository, branch, workspace);
  ci.start(branch, sha);
  return sha;
}

async function branchHead(repository: Repository, branch: string): Promise<string> {
  const sha = await repository.commit(branchRef(branch));
  if (sha === undefined) throw new LegionError('forge.branch_missing', `${branch} has no commit yet`);
  return sha;
}

async function fetchFrom(repository: Repository, branch: string, workspace: string): Promise<string> {
  const to = await takeIn(repository, branch, workspace);
  const from = await repository.commit(branchRef(branch));
  const lastPush = await repository.commit(lastPushRef(branch));
  if (from !== to) await refuseLoss(repository, branch, { from, to, lastPush });
  const moved = await repository.transact([
    ...(from === to ? [] : [{ ref: branchRef(branch), to, from }]),
    ...(lastPush === to ? [] : [{ ref: lastPushRef(branch), to, from: lastPush }]),
    { ref: INCOMING, delete: true },
  ]);
  if (moved) return to;
  throw new LegionError('forge.branch_moved', `${branch} was moved by somebody else just now`);
}

interface Move {
  readonly from: string | undefined;
  readonly to: string;
  readonly lastPush: string | undefined;
}

async function refuseLoss(
  repository: Repository,
  branch: string,
  { from, to, lastPush }: Move,
): Promise<void> {
  const [folder] = await repository.workTreesOn(branch);
  if (folder !== undefined) {
    throw new LegionError('forge.branch_checked_out', `${branch} is checked out in ${folder}`);
  }
  if (from === undefined || from === lastPush || (await repository.isAncestor(from, to))) return;
  const left =
    lastPush === undefined ? 'nothing was pushed from here before' : `the last push left it at ${lastPush}`;
  throw new LegionError(
    'forge.branch_moved',
    `${branch} is at ${from}, which ${to} does not contain; ${left}`,
  );
}
