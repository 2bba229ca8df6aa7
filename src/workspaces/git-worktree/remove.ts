/** Removes a workspace unless work would be lost. */
import { randomUUID } from 'node:crypto';
import { lstat, readdir, readFile, rename, rm } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { LegionError } from '../../core/model/fault.ts';
import { toPrintableLine } from '../../git/errors.ts';
import { findCommit } from '../../git/lookup.ts';
import type { GitRunner } from '../../git/runner.ts';
import type { RemovalResult } from '../../ports/workspace.ts';
import { discardFolder, toIssueBranchRef } from './create.ts';
import { readIfPresent } from './faults.ts';
import { runDespiteDeadLocks } from './git-lock.ts';
import type { OwnWorktree } from './inspect.ts';
import { ensureStagingFolder } from './paths.ts';
import { type BaseOptions, type RepositoryView, resolveRemoteRefs } from './repository.ts';

export interface RemoveWorktreeOptions {
  readonly root: string;
  readonly remote: BaseOptions['remote'];
  readonly mergedAs?: string | undefined;
}

/** Requires the repository's lock and a previous sweep. */
export async function removeWorktree(
  git: GitRunner,
  repository: RepositoryView,
  ours: OwnWorktree,
  options: RemoveWorktreeOptions,
): Promise<RemovalResult> {
  const { workspace, entry, common } = ours;
  const work = await findHeldWork(git, repository, ours, options);
  const holds = [...(await listHeldFiles(git, ours)), ...work.holds];
  if (holds.length > 0) return { removed: false, holds };

  // Moves the workspace away with one rename, because a killed process must not leave half a
  // workspace that looks complete.
  const trash = join(await ensureStagingFolder(options.root, common), randomUUID());
  await rename(workspace.path, trash);
  await rm(entry, { recursive: true, force: true });
  if (work.mergedBranch !== undefined)
    await deleteBranch(git, repository, workspace.branch, work.mergedBranch);
  await discardFolder(trash);
  return { removed: true };
}

interface HeldWork {
  readonly holds: readonly string[];
  /** The commit of the issue's branch. Undefined if the branch is not merged. */
  readonly mergedBranch: string | undefined;
}

async function findHeldWork(
  git: GitRunner,
  repository: RepositoryView,
  { workspace, entry, common }: OwnWorktree,
  { remote, mergedAs }: RemoveWorktreeOptions,
): Promise<HeldWork> {
  const { lookup } = repository;
  const base = await repository.findBase();
  // The local base may be ahead of the remote's.
  const local = await findCommit(lookup, `refs/heads/${base.name}`);
  const bases = [...new Set(local === undefined ? [base.commit] : [base.commit, local])];
  const isInBase = async (tip: string) => {
    for (const commit of bases) {
      if (await isMerged(git, repository, { tip, base: commit, mergedAs })) return true;
    }
    return false;
  };

  const branch = await findCommit(lookup, toIssueBranchRef(workspace));
  // During a rebase, HEAD differs from the branch.
  const head = await findCommit(lookup, `worktrees/${basename(entry)}/HEAD`);
  const unmerged: string[] = [];
  for (const tip of new Set([branch, head])) {
    if (tip !== undefined && !(await isInBase(tip))) unmerged.push(tip);
  }
  const pushed = `--glob=${resolveRemoteRefs(remote)}`;
  return {
    holds: await listHeldCommits(git, common, unmerged, [...bases, pushed]),
    mergedBranch: branch === undefined || unmerged.includes(branch) ? undefined : branch,
  };
}

/** Deletes the branch only if it has not moved since the check and is not checked out elsewhere. */
async function deleteBranch(
  git: GitRunner,
  { common, workTreesOn }: RepositoryView,
  issue: string,
  commit: string,
): Promise<void> {
  const ref = toIssueBranchRef({ issue });
  if ((await workTreesOn(ref)).length > 0) return;
  const locks = [join(common, `${ref}.lock`), join(common, 'packed-refs.lock')];
  await runDespiteDeadLocks(locks, () => git.run(common, ['update-ref', '-d', ref, commit]));
}

/**
 * Maximum number of base commits compared with the branch, newest first, to find its squash merge.
 * Each comparison takes two or three git runs of a few milliseconds.
 */
const MAX_SQUASH_CANDIDATES = 200;

/**
 * Compares content rather than patch ids, which ignore white space. The branch is merged if a base
 * commit has exactly the branch's files, or if merging the branch into that commit would change
 * nothing.
 */
export async function isMerged(
  git: GitRunner,
  repository: RepositoryView,
  {
    tip,
    base,
    mergedAs,
  }: { readonly tip: string; readonly base: string; readonly mergedAs?: string | undefined },
): Promise<boolean> {
  const { common } = repository;
  if (await isAncestor(git, common, tip, base)) return true;
  const tree = await requireTree(repository, tip);
  const named = mergedAs === undefined ? [] : await findCandidateOnBase(git, repository, mergedAs, base);
  const candidates =
    named.length > 0 ? named : await listCandidatesSinceFork(git, repository, { tip, tree, base });
  if (candidates.some((candidate) => candidate.tree === tree)) return true;
  for (const { commit, tree: before } of candidates) {
    // Merges in memory; exit code 1 means conflicts.
    const merged = await git.ask(common, ['merge-tree', '--write-tree', '--no-messages', commit, tip]);
    if (merged?.trim() === before) return true;
  }
  return false;
}

interface MergeCandidate {
  readonly commit: string;
  readonly tree: string;
}

/** A commit that the forge reports as the merge proves nothing unless it is on the base. */
async function findCandidateOnBase(
  git: GitRunner,
  repository: RepositoryView,
  named: string,
  base: string,
): Promise<readonly MergeCandidate[]> {
  const commit = /^[0-9a-f]{7,64}$/.test(named) ? await findCommit(repository.lookup, named) : undefined;
  if (commit === undefined || !(await isAncestor(git, repository.common, commit, base))) return [];
  return [{ commit, tree: await requireTree(repository, commit) }];
}

/**
 * Returns no candidates if the branch as a whole changes nothing, because reverted work would match
 * any commit.
 */
async function listCandidatesSinceFork(
  git: GitRunner,
  repository: RepositoryView,
  { tip, tree, base }: { readonly tip: string; readonly tree: string; readonly base: string },
): Promise<readonly MergeCandidate[]> {
  const { common } = repository;
  const fork = (await git.ask(common, ['merge-base', base, tip]))?.trim();
  if (fork === undefined || (await requireTree(repository, fork)) === tree) return [];
  const format = ['--no-commit-header', '--format=%H %T'];
  const range = ['--first-parent', `--max-count=${MAX_SQUASH_CANDIDATES}`, base, `^${fork}`];
  const printed = await git.run(common, ['rev-list', ...format, ...range]);
  return printed
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => {
      const [commit = '', tree = ''] = line.split(' ');
      return { commit, tree };
    });
}

async function isAncestor(git: GitRunner, common: string, old: string, recent: string): Promise<boolean> {
  return (await git.ask(common, ['merge-base', '--is-ancestor', old, recent])) !== undefined;
}

async function requireTree({ common, lookup }: RepositoryView, commit: string): Promise<string> {
  const [tree] = await lookup.objects([`${commit}^{tree}`]);
  if (tree === undefined) throw new LegionError('git.failed', `${common} has no commit ${commit}`);
  return tree;
}

/** Maximum number of names shown; the rest are only counted. */
const MAX_LISTED_NAMES = 20;

/**
 * Lists by name what would be lost if the workspace were removed: changed, untracked and hidden
 * files, and everything else that exists only in this worktree.
 */
async function listHeldFiles(git: GitRunner, { workspace, entry }: OwnWorktree): Promise<readonly string[]> {
  const { path } = workspace;
  const changed = (await git.run(path, HELD_FILES_STATUS_ARGS)).split('\0').filter((record) => record !== '');
  const untracked = changed.filter((record) => record.startsWith('??')).map((record) => record.slice(3));
  const uncommitted = changed.filter((record) => !record.startsWith('??')).map((record) => record.slice(3));
  return [
    ...formatNames('uncommitted', uncommitted),
    ...formatNames('untracked', untracked),
    ...formatNames('hidden from git status', await listHiddenFiles(git, path)),
    ...formatNames('submodule with its own commits', await listHeldSubmodules(git, join(entry, 'modules'))),
    ...(await listWorktreeLocks(entry)),
  ];
}

/** All options are spelled out, because the repository's settings could differ. */
const HELD_FILES_STATUS_ARGS = [
  'status',
  '--porcelain=v1',
  '-z',
  '--untracked-files=normal',
  '--ignore-submodules=none',
  '--no-renames',
];

/** Lists commits reachable from the tips but not from any of the other refs. */
async function listHeldCommits(
  git: GitRunner,
  common: string,
  tips: readonly string[],
  elsewhere: readonly string[],
): Promise<readonly string[]> {
  if (tips.length === 0) return [];
  const format = ['--no-commit-header', '--format=%h %s'];
  const printed = await git.run(common, ['rev-list', ...format, ...tips, '--not', ...elsewhere]);
  const commits = printed.split('\n').filter((line) => line !== '');
  return formatNames('neither merged nor pushed', commits);
}

/**
 * Git ignores changes to assume-unchanged and skip-worktree files. In a sparse checkout such a file
 * is not on disk.
 */
async function listHiddenFiles(git: GitRunner, path: string): Promise<readonly string[]> {
  const ignoredByStatus = (await git.run(path, ['ls-files', '-v', '-z']))
    .split('\0')
    .filter((record) => /^[a-zS] /.test(record))
    .map((record) => record.slice(2));
  const present: string[] = [];
  for (const file of ignoredByStatus) {
    if ((await readIfPresent(lstat(join(path, file)))) !== undefined) present.push(file);
  }
  return present;
}

/**
 * Lists submodules at any depth with commits that none of their remotes has. `git status` reports
 * their uncommitted files.
 */
async function listHeldSubmodules(git: GitRunner, modules: string, prefix = ''): Promise<readonly string[]> {
  const held: string[] = [];
  for (const name of (await readIfPresent(readdir(modules))) ?? []) {
    const folder = join(modules, name);
    const fullName = `${prefix}${name}`;
    if ((await readIfPresent(lstat(join(folder, 'HEAD')))) === undefined) {
      // This directory is the first part of a submodule name with a slash, such as `libs/one`.
      if ((await lstat(folder)).isDirectory())
        held.push(...(await listHeldSubmodules(git, folder, `${fullName}/`)));
      continue;
    }
    const own = ['rev-list', '--max-count=1', 'HEAD', '--branches', '--not', '--remotes', '--tags'];
    if ((await git.run(folder, [`--git-dir=${folder}`, ...own])) !== '') held.push(fullName);
    held.push(...(await listHeldSubmodules(git, join(folder, 'modules'), `${fullName}/`)));
  }
  return held;
}

async function listWorktreeLocks(entry: string): Promise<readonly string[]> {
  const reason = await readIfPresent(readFile(join(entry, 'locked'), 'utf8'));
  return reason === undefined ? [] : [`locked: ${toPrintableLine(reason.trim() || 'no reason given')}`];
}

export function formatNames(kind: string, names: readonly string[]): readonly string[] {
  const lines = names.slice(0, MAX_LISTED_NAMES).map((name) => `${kind}: ${toPrintableLine(name)}`);
  const rest = names.length - lines.length;
  return rest === 0 ? lines : [...lines, `${kind}: and ${rest} more`];
}
