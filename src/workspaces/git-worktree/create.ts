/** Makes a workspace: whole in the staging folder first, then in its place by one rename. */
import { lstat, realpath, rename } from 'node:fs/promises';
import { join } from 'node:path';
import { LegionError } from '../../domain/fault.ts';
import type { Git } from '../../git/runner.ts';
import { unlessAbsent } from './faults.ts';
import { despiteDeadLocks } from './git-lock.ts';
import { entryOf, linkTo } from './links.ts';
import { writeMarker } from './marker.ts';
import { entryName, type Place, stagingFolder } from './place.ts';
import { type BaseOptions, baseOf, commitOf } from './repository.ts';

export interface Creation extends BaseOptions {
  readonly root: string;
  readonly legion: string;
  readonly place: Place;
  readonly common: string;
}

/** For the holder of the repository's lock, after a sweep, where nothing lies in the place. */
export async function create(git: Git, creation: Creation): Promise<void> {
  const { root, legion, place, common } = creation;
  const commit = await ensureBranch(git, creation);
  const made = join(await stagingFolder(root, common), entryName(root, place.folder));
  // By commit, because a tag or half an object name may be called like the issue; the branch is put under it afterwards.
  await git.run(common, ['worktree', 'add', '--quiet', '--no-checkout', '--detach', made, commit]);
  await git.run(made, ['symbolic-ref', '-m', 'legion: workspace', 'HEAD', branchRef(place)]);
  // Git takes the branch's lock here as well, so the lock of a killed git may be in the way a second time.
  await despiteDeadLocks([lockOf(common, place)], () => git.run(made, ['reset', '--quiet', '--hard']));

  const named = await entryOf(made);
  if (named === undefined) throw new LegionError('workspace.unavailable', `${made} was not made a worktree`);
  const entry = await realpath(named);
  await writeMarker(entry, { legion, issue: place.issue });
  if ((await unlessAbsent(lstat(place.path))) !== undefined) {
    throw new LegionError('workspace.foreign', `${place.path} appeared while the workspace was being made`);
  }
  await rename(made, place.path);
  await linkTo(entry, place.path);
}

/** The commit the issue's branch is at; it begins at the base where there is none yet. */
async function ensureBranch(git: Git, creation: Creation): Promise<string> {
  const { common, place } = creation;
  const ref = branchRef(place);
  const [base, users, present] = await Promise.all([
    baseOf(git, common, creation),
    checkedOut(git, common),
    commitOf(git, common, ref),
  ]);
  if (base.name === place.issue) {
    throw new LegionError('workspace.branch_taken', `${place.issue} is the base branch of ${common}`);
  }
  const user = users.get(ref);
  if (user !== undefined) {
    throw new LegionError('workspace.branch_taken', `branch ${place.issue} is checked out in ${user}`);
  }
  if (present !== undefined) return present;
  // "" as the old value: the branch must not have come into being meanwhile.
  const args = ['update-ref', '--create-reflog', '-m', `legion: from ${base.ref}`, ref, base.commit, ''];
  await despiteDeadLocks([lockOf(common, place)], () => git.run(common, args));
  return base.commit;
}

/** Which branch (by its full name) is checked out in which folder. */
export async function checkedOut(git: Git, common: string): Promise<ReadonlyMap<string, string>> {
  const folders = new Map<string, string>();
  const printed = await git.run(common, ['worktree', 'list', '--porcelain', '-z']);
  for (const record of printed.split('\0\0')) {
    const lines = record.split('\0');
    const path = lines.find((line) => line.startsWith('worktree '))?.slice('worktree '.length);
    const ref = lines.find((line) => line.startsWith('branch '))?.slice('branch '.length);
    if (path !== undefined && ref !== undefined) folders.set(ref, path);
  }
  return folders;
}

function lockOf(common: string, place: Place): string {
  return join(common, `${branchRef(place)}.lock`);
}

export function branchRef({ issue }: { readonly issue: string }): string {
  return `refs/heads/${issue}`;
}
