/** Takes a workspace away, unless something would be lost with it. */
import { randomUUID } from 'node:crypto';
import { rename, rm } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { commitOf } from '../../git/lookup.ts';
import type { Git } from '../../git/runner.ts';
import type { Removal } from '../workspace.ts';
import { type BaseOptions, remoteRefsOf } from './base.ts';
import { branchRef } from './create.ts';
import { discard } from './discard.ts';
import { despiteDeadLocks } from './git-lock.ts';
import { commitsHeld, filesHeld } from './holds.ts';
import type { Ours } from './inspect.ts';
import { isMerged } from './merged.ts';
import { stagingFolder } from './place.ts';
import type { RepositoryView } from './repository.ts';

export interface RemovalOptions {
  readonly root: string;
  readonly remote: BaseOptions['remote'];
  readonly mergedAs?: string | undefined;
}

/** For the holder of the repository's lock, after a sweep. */
export async function remove(
  git: Git,
  repository: RepositoryView,
  ours: Ours,
  options: RemovalOptions,
): Promise<Removal> {
  const { workspace, entry, common } = ours;
  const work = await workIn(git, repository, ours, options);
  const holds = [...(await filesHeld(git, ours)), ...work.holds];
  if (holds.length > 0) return { removed: false, holds };

  // Out of its place by one rename: a kill must not leave half a workspace that looks like a whole one.
  const gone = join(await stagingFolder(options.root, common), randomUUID());
  await rename(workspace.path, gone);
  await rm(entry, { recursive: true, force: true });
  if (work.mergedBranch !== undefined)
    await deleteBranch(git, repository, workspace.branch, work.mergedBranch);
  await discard(gone);
  return { removed: true };
}

interface Work {
  readonly holds: readonly string[];
  /** The commit the issue's branch is at, if that is merged. */
  readonly mergedBranch: string | undefined;
}

async function workIn(
  git: Git,
  repository: RepositoryView,
  { workspace, entry, common }: Ours,
  { remote, mergedAs }: RemovalOptions,
): Promise<Work> {
  const { lookup } = repository;
  const base = await repository.findBase();
  // The base as it is here may be ahead of the remote's.
  const local = await commitOf(lookup, `refs/heads/${base.name}`);
  const bases = [...new Set(local === undefined ? [base.commit] : [base.commit, local])];
  const merged = async (tip: string) => {
    for (const commit of bases) {
      if (await isMerged(git, repository, { tip, base: commit, mergedAs })) return true;
    }
    return false;
  };

  const branch = await commitOf(lookup, branchRef(workspace));
  // Elsewhere than the branch during a rebase.
  const head = await commitOf(lookup, `worktrees/${basename(entry)}/HEAD`);
  const unmerged: string[] = [];
  for (const tip of new Set([branch, head])) {
    if (tip !== undefined && !(await merged(tip))) unmerged.push(tip);
  }
  const pushed = `--glob=${remoteRefsOf(remote)}`;
  return {
    holds: await commitsHeld(git, common, unmerged, [...bases, pushed]),
    mergedBranch: branch === undefined || unmerged.includes(branch) ? undefined : branch,
  };
}

/** Only as long as it is where it was when it was looked at, and nobody else has it checked out. */
async function deleteBranch(
  git: Git,
  { common, workTreesOn }: RepositoryView,
  issue: string,
  commit: string,
): Promise<void> {
  const ref = branchRef({ issue });
  if ((await workTreesOn(ref)).length > 0) return;
  const locks = [join(common, `${ref}.lock`), join(common, 'packed-refs.lock')];
  await despiteDeadLocks(locks, () => git.run(common, ['update-ref', '-d', ref, commit]));
}
