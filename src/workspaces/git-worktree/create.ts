/**
 * Creates a workspace completely in the staging directory, then moves it into place with one
 * rename.
 */
import { chmod, lstat, readdir, realpath, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { LegionError } from '../../core/model/fault.ts';
import { findCommit } from '../../git/lookup.ts';
import type { GitRunner } from '../../git/runner.ts';
import { readIfPresent } from './faults.ts';
import { runDespiteDeadLocks } from './git-lock.ts';
import { writeMarker } from './inspect.ts';
import {
  ensureStagingFolder,
  formatEntryName,
  linkEntry,
  readWorktreeEntry,
  type WorktreeLocation,
} from './paths.ts';
import type { BaseBranch, RepositoryView } from './repository.ts';

export interface CreateWorktreeOptions {
  readonly root: string;
  readonly legion: string;
  readonly location: WorktreeLocation;
}

/** Requires the repository's lock, a previous sweep and an empty target. */
export async function createWorktree(
  git: GitRunner,
  repository: RepositoryView,
  creation: CreateWorktreeOptions,
): Promise<void> {
  const { root, legion, location } = creation;
  const { common } = repository;
  const base = await repository.findBase();
  await refuseTakenBranch(repository, location, base.name);
  const staged = join(await ensureStagingFolder(root, common), formatEntryName(root, location.folder));
  const start: WorktreeStart = { location, staged, base };
  if (!(await addInOneStep(git, repository, start))) await addStepByStep(git, repository, start);

  const entryPath = readWorktreeEntry(staged);
  if (entryPath === undefined)
    throw new LegionError('workspace.unavailable', `git did not create a worktree at ${staged}`);
  const entry = await realpath(entryPath);
  await writeMarker(entry, { legion, issue: location.issue });
  if ((await readIfPresent(lstat(location.path))) !== undefined) {
    throw new LegionError(
      'workspace.foreign',
      `${location.path} appeared while the workspace was being created`,
    );
  }
  await rename(staged, location.path);
  await linkEntry(entry, location.path);
}

async function refuseTakenBranch(
  repository: RepositoryView,
  location: WorktreeLocation,
  base: string,
): Promise<void> {
  if (base === location.issue) {
    throw new LegionError(
      'workspace.branch_taken',
      `The branch of issue ${location.issue} would have the name of the base branch of ${repository.common}`,
    );
  }
  const [user] = await repository.workTreesOn(toIssueBranchRef(location));
  if (user !== undefined) {
    throw new LegionError(
      'workspace.branch_taken',
      `branch ${location.issue} is checked out in ${user.folder}`,
    );
  }
}

interface WorktreeStart {
  readonly location: WorktreeLocation;
  readonly staged: string;
  readonly base: BaseBranch;
}

/** Returns false if the branch already exists or git would find its name ambiguous. */
async function addInOneStep(
  git: GitRunner,
  { common, lookup }: RepositoryView,
  { location, staged, base }: WorktreeStart,
): Promise<boolean> {
  // A bare repository keeps no reflog by default.
  const history = ['-c', 'core.logAllRefUpdates=true'];
  const add = ['worktree', 'add', '--quiet', '--no-track', '-b', location.issue, staged, base.commit];
  return runDespiteDeadLocks([resolveBranchLock(common, location)], async () => {
    const [branch, namesake] = await lookup.objects([toIssueBranchRef(location), location.issue]);
    if (branch !== undefined || namesake !== undefined || OBJECT_NAME_PATTERN.test(location.issue))
      return false;
    // Git refuses if the branch was created in the meantime.
    await git.run(common, [...history, ...add]);
    return true;
  });
}

/** Git reads a name like this as an object before it looks for a branch. */
const OBJECT_NAME_PATTERN = /^[0-9a-f]{4,}$/i;

/**
 * Adds the worktree by commit, because a tag or an abbreviated object name may equal the issue's
 * name. Attaches the branch afterwards.
 */
async function addStepByStep(
  git: GitRunner,
  repository: RepositoryView,
  start: WorktreeStart,
): Promise<void> {
  const { common } = repository;
  const { location, staged } = start;
  const commit = await ensureBranch(git, repository, start);
  await git.run(common, ['worktree', 'add', '--quiet', '--no-checkout', '--detach', staged, commit]);
  await git.run(staged, ['symbolic-ref', '-m', 'legion: workspace', 'HEAD', toIssueBranchRef(location)]);
  // Git takes the branch's lock here as well, so the lock of a killed git may block the command a
  // second time.
  await runDespiteDeadLocks([resolveBranchLock(common, location)], () =>
    git.run(staged, ['reset', '--quiet', '--hard']),
  );
}

/**
 * Returns the commit of the issue's branch. Creates the branch at the base if it does not exist
 * yet.
 */
async function ensureBranch(
  git: GitRunner,
  { common, lookup }: RepositoryView,
  { location, base }: WorktreeStart,
): Promise<string> {
  const ref = toIssueBranchRef(location);
  const present = await findCommit(lookup, ref);
  if (present !== undefined) return present;
  // The empty old value makes git refuse if the branch was created in the meantime.
  const args = ['update-ref', '--create-reflog', '-m', `legion: from ${base.ref}`, ref, base.commit, ''];
  await runDespiteDeadLocks([resolveBranchLock(common, location)], () => git.run(common, args));
  return base.commit;
}

function resolveBranchLock(common: string, location: WorktreeLocation): string {
  return join(common, `${toIssueBranchRef(location)}.lock`);
}

export function toIssueBranchRef({ issue }: { readonly issue: string }): string {
  return `refs/heads/${issue}`;
}

/** Deletes a directory permanently, even if it contains write-protected directories. */
export async function discardFolder(path: string): Promise<void> {
  try {
    await rm(path, { recursive: true, force: true });
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code !== 'EACCES' && code !== 'EPERM') throw error;
    await makeFoldersWritable(path); // package caches are often read-only
    await rm(path, { recursive: true, force: true });
  }
}

async function makeFoldersWritable(path: string): Promise<void> {
  await chmod(path, 0o700);
  for (const entry of await readdir(path, { withFileTypes: true })) {
    if (entry.isDirectory()) await makeFoldersWritable(join(path, entry.name));
  }
}
