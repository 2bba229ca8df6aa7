/** Brings the commits of a workspace to its branch on GitHub, and moves nothing else. */
import { LegionError } from '../../core/model/fault.ts';
import { standsOn } from '../../integrations/forge-support/incoming.ts';
import { branchRef, type Repository } from '../../integrations/forge-support/repository.ts';
import type { Clone } from '../../integrations/github/forge/clone.ts';
import { refuseBranch } from '../branch-name.ts';
import { INCOMING, lastPushRef, takeIn } from '../incoming.ts';
import type { Desk } from './desk.ts';

/**
 * Only under the lock of the clone. The branch moves forward; it moves to a rewritten history only while it still stands where
 * the last push from here left it, so that nobody else's commits are lost. GitHub is told where it must stand: who is faster wins.
 */
export async function push(desk: Desk, branch: string, workspace: string): Promise<string> {
  const { clone, base } = desk;
  const { repository } = clone;
  refuseBranch(branch, base);
  const to = await headIn(repository, branch, workspace);
  const from = await clone.headOf(branch);
  if (from !== to) {
    await refuseLoss(clone, branch, from, to);
    await clone.move(branch, from, to);
  }
  // After the push: what was never pushed from here must not count as such.
  await repository.run(['update-ref', lastPushRef(branch), to]);
  desk.changed(branch);
  return to;
}

/** In a work tree of the clone the commits are there already; another clone's are taken in. */
async function headIn(repository: Repository, branch: string, workspace: string): Promise<string> {
  if (await standsOn(repository, branch, workspace)) {
    const sha = await repository.commit(branchRef(branch));
    if (sha === undefined) throw new LegionError('forge.branch_missing', `${branch} has no commit yet`);
    return sha;
  }
  const sha = await takeIn(repository, branch, workspace);
  await repository.transact([{ ref: INCOMING, delete: true }]);
  return sha;
}

async function refuseLoss(
  { repository, bring }: Clone,
  branch: string,
  from: string | undefined,
  to: string,
): Promise<void> {
  const lastPush = await repository.commit(lastPushRef(branch));
  if (from === undefined || from === lastPush) return;
  await bring([from]);
  if ((await repository.commit(from)) !== undefined && (await repository.isAncestor(from, to))) return;
  const left =
    lastPush === undefined ? 'nothing was pushed from here before' : `the last push left it at ${lastPush}`;
  throw new LegionError(
    'forge.branch_moved',
    `${branch} is at ${from}, which ${to} does not contain; ${left}`,
  );
}
