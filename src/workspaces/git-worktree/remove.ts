/** Takes a workspace away, unless something would be lost with it. */
import { randomUUID } from 'node:crypto';
import { rename, rm } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { LegionError } from '../../core/model/fault.ts';
import { commitOf } from '../../git/lookup.ts';
import type { Git } from '../../git/runner.ts';
import type { Removal } from '../workspace.ts';
import { type BaseOptions, remoteRefsOf } from './base.ts';
import { branchRef } from './create.ts';
import { discard } from './discard.ts';
import { despiteDeadLocks } from './git-lock.ts';
import { commitsHeld, filesHeld } from './holds.ts';
import type { Ours } from './inspect.ts';
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

/** Commits of the base that are tried as the squash of the branch, newest first; two or three git runs of some ms each. */
const SQUASHES_TRIED = 200;

/**
 * By content, not by patch id, which takes no notice of white space: it has arrived where a commit of the base has the very
 * files of the branch, or where merging the branch into that commit would change nothing.
 */
async function isMerged(
  git: Git,
  repository: RepositoryView,
  {
    tip,
    base,
    mergedAs,
  }: { readonly tip: string; readonly base: string; readonly mergedAs?: string | undefined },
): Promise<boolean> {
  const { common } = repository;
  if (await isAncestor(git, common, tip, base)) return true;
  const tree = await treeOf(repository, tip);
  const named = mergedAs === undefined ? [] : await onBase(git, repository, mergedAs, base);
  const candidates = named.length > 0 ? named : await sinceForked(git, repository, { tip, tree, base });
  if (candidates.some((candidate) => candidate.tree === tree)) return true;
  for (const { commit, tree: before } of candidates) {
    // It merges in memory and says 1 where there are conflicts.
    const merged = await git.ask(common, ['merge-tree', '--write-tree', '--no-messages', commit, tip]);
    if (merged?.trim() === before) return true;
  }
  return false;
}

interface Candidate {
  readonly commit: string;
  readonly tree: string;
}

/** A commit that is named but not on the base proves nothing. */
async function onBase(
  git: Git,
  repository: RepositoryView,
  named: string,
  base: string,
): Promise<readonly Candidate[]> {
  const commit = /^[0-9a-f]{7,64}$/.test(named) ? await commitOf(repository.lookup, named) : undefined;
  if (commit === undefined || !(await isAncestor(git, repository.common, commit, base))) return [];
  return [{ commit, tree: await treeOf(repository, commit) }];
}

/** None where the branch as a whole changes nothing: work that was undone again would fit into any commit. */
async function sinceForked(
  git: Git,
  repository: RepositoryView,
  { tip, tree, base }: { readonly tip: string; readonly tree: string; readonly base: string },
): Promise<readonly Candidate[]> {
  const { common } = repository;
  const fork = (await git.ask(common, ['merge-base', base, tip]))?.trim();
  if (fork === undefined || (await treeOf(repository, fork)) === tree) return [];
  const format = ['--no-commit-header', '--format=%H %T'];
  const range = ['--first-parent', `--max-count=${SQUASHES_TRIED}`, base, `^${fork}`];
  const printed = await git.run(common, ['rev-list', ...format, ...range]);
  return printed
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => {
      const [commit = '', tree = ''] = line.split(' ');
      return { commit, tree };
    });
}

async function isAncestor(git: Git, common: string, old: string, recent: string): Promise<boolean> {
  return (await git.ask(common, ['merge-base', '--is-ancestor', old, recent])) !== undefined;
}

async function treeOf({ common, lookup }: RepositoryView, commit: string): Promise<string> {
  const [tree] = await lookup.objects([`${commit}^{tree}`]);
  if (tree === undefined) throw new LegionError('git.failed', `${common} has no commit ${commit}`);
  return tree;
}
