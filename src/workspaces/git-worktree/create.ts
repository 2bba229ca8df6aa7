/** Makes a workspace: whole in the staging folder first, then in its place by one rename. */
import { lstat, realpath, rename } from 'node:fs/promises';
import { join } from 'node:path';
import { LegionError } from '../../core/model/fault.ts';
import { commitOf } from '../../git/lookup.ts';
import type { Git } from '../../git/runner.ts';
import type { Base } from './base.ts';
import { unlessAbsent } from './faults.ts';
import { despiteDeadLocks } from './git-lock.ts';
import { entryOf, linkTo } from './links.ts';
import { writeMarker } from './marker.ts';
import { entryName, type Place, stagingFolder } from './place.ts';
import type { RepositoryView } from './repository.ts';

export interface Creation {
  readonly root: string;
  readonly legion: string;
  readonly place: Place;
}

/** For the holder of the repository's lock, after a sweep, where nothing lies in the place. */
export async function create(git: Git, repository: RepositoryView, creation: Creation): Promise<void> {
  const { root, legion, place } = creation;
  const { common } = repository;
  const base = await repository.findBase();
  await refuseTaken(repository, place, base.name);
  const made = join(await stagingFolder(root, common), entryName(root, place.folder));
  const start: Start = { place, made, base };
  if (!(await addInOneStep(git, repository, start))) await addStepByStep(git, repository, start);

  const named = entryOf(made);
  if (named === undefined) throw new LegionError('workspace.unavailable', `${made} was not made a worktree`);
  const entry = await realpath(named);
  await writeMarker(entry, { legion, issue: place.issue });
  if ((await unlessAbsent(lstat(place.path))) !== undefined) {
    throw new LegionError('workspace.foreign', `${place.path} appeared while the workspace was being made`);
  }
  await rename(made, place.path);
  await linkTo(entry, place.path);
}

async function refuseTaken(repository: RepositoryView, place: Place, base: string): Promise<void> {
  if (base === place.issue) {
    throw new LegionError(
      'workspace.branch_taken',
      `${place.issue} is the base branch of ${repository.common}`,
    );
  }
  const [user] = await repository.workTreesOn(branchRef(place));
  if (user !== undefined) {
    throw new LegionError('workspace.branch_taken', `branch ${place.issue} is checked out in ${user.folder}`);
  }
}

interface Start {
  readonly place: Place;
  readonly made: string;
  readonly base: Base;
}

/** False where the branch is there already, or git would take its name for something else as well. */
async function addInOneStep(
  git: Git,
  { common, lookup }: RepositoryView,
  { place, made, base }: Start,
): Promise<boolean> {
  // A bare repository keeps no history of its branches unless it is told to.
  const history = ['-c', 'core.logAllRefUpdates=true'];
  const add = ['worktree', 'add', '--quiet', '--no-track', '-b', place.issue, made, base.commit];
  return despiteDeadLocks([lockOf(common, place)], async () => {
    const [branch, namesake] = await lookup.objects([branchRef(place), place.issue]);
    if (branch !== undefined || namesake !== undefined || OBJECT_NAME.test(place.issue)) return false;
    // Git refuses a branch that comes into being meanwhile.
    await git.run(common, [...history, ...add]);
    return true;
  });
}

/** Git reads such a name as an object before it looks for a branch. */
const OBJECT_NAME = /^[0-9a-f]{4,}$/i;

/** By commit, because a tag or half an object name may be called like the issue; the branch is put under it afterwards. */
async function addStepByStep(git: Git, repository: RepositoryView, start: Start): Promise<void> {
  const { common } = repository;
  const { place, made } = start;
  const commit = await ensureBranch(git, repository, start);
  await git.run(common, ['worktree', 'add', '--quiet', '--no-checkout', '--detach', made, commit]);
  await git.run(made, ['symbolic-ref', '-m', 'legion: workspace', 'HEAD', branchRef(place)]);
  // Git takes the branch's lock here as well, so the lock of a killed git may be in the way a second time.
  await despiteDeadLocks([lockOf(common, place)], () => git.run(made, ['reset', '--quiet', '--hard']));
}

/** The commit the issue's branch is at; it begins at the base where there is none yet. */
async function ensureBranch(
  git: Git,
  { common, lookup }: RepositoryView,
  { place, base }: Start,
): Promise<string> {
  const ref = branchRef(place);
  const present = await commitOf(lookup, ref);
  if (present !== undefined) return present;
  // "" as the old value: the branch must not have come into being meanwhile.
  const args = ['update-ref', '--create-reflog', '-m', `legion: from ${base.ref}`, ref, base.commit, ''];
  await despiteDeadLocks([lockOf(common, place)], () => git.run(common, args));
  return base.commit;
}

function lockOf(common: string, place: Place): string {
  return join(common, `${branchRef(place)}.lock`);
}

export function branchRef({ issue }: { readonly issue: string }): string {
  return `refs/heads/${issue}`;
}
