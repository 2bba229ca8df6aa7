/** Brings a workspace without work of its own to the newest base, and tells how far every other one is behind. */
import { LegionError } from '../../core/model/fault.ts';
import { printable } from '../../git/errors.ts';
import { countOnTop } from '../../git/lookup.ts';
import type { Git } from '../../git/runner.ts';
import type { BaseStanding, Standing } from '../workspace.ts';
import { branchRef } from './create.ts';
import type { Ours } from './inspect.ts';
import type { RepositoryView } from './repository.ts';
import { standingOf } from './standing.ts';

export interface ComparedWithBase {
  readonly standing: BaseStanding;
  /** The commit to bring it to; undefined where it has to stay as it is. */
  readonly moveTo: string | undefined;
}

/** Changes nothing. `seen` is how the workspace stood a moment ago; without it git is asked. */
export async function compareWithBase(
  git: Git,
  repository: RepositoryView,
  ours: Ours,
  seen?: Standing,
): Promise<ComparedWithBase> {
  const { path } = ours.workspace;
  const [base, { head, uncommitted }] = await Promise.all([
    repository.findBase(),
    seen ?? standingOf(git, path),
  ]);
  const pair = { path, head, base: base.commit };
  const { ahead, behind } = await distanceOf(git, repository, pair);
  const conflicts = ahead > 0 && behind > 0 ? await conflictsOf(git, repository, pair) : [];
  const name = base.ref.replace(/^refs\/(heads|remotes)\//, '');
  const standing = { base: name, ahead, behind, uncommitted, conflicts, moved: false };
  const isMovable = behind > 0 && ahead === 0 && uncommitted.length === 0;
  return { standing, moveTo: isMovable && (await standsOnBranch(git, ours)) ? base.commit : undefined };
}

/** For the holder of the repository's lock, because it moves the branch. */
export async function bringToBase(git: Git, repository: RepositoryView, ours: Ours): Promise<BaseStanding> {
  const { standing, moveTo } = await compareWithBase(git, repository, ours);
  if (moveTo === undefined || !(await fastForward(git, ours.workspace.path, moveTo))) return standing;
  return { ...standing, behind: 0, moved: true };
}

/** Whether it moved. Where git refuses, the worker begins where it is: it hears that it is behind. */
async function fastForward(git: Git, path: string, commit: string): Promise<boolean> {
  try {
    await git.run(path, ['merge', '--quiet', '--ff-only', commit]);
    return true;
  } catch (error) {
    if (error instanceof LegionError && error.code === 'git.failed') return false;
    throw error;
  }
}

interface Pair {
  readonly path: string;
  readonly head: string;
  readonly base: string;
}

async function distanceOf(
  git: Git,
  { distances, lookup }: RepositoryView,
  { path, head, base }: Pair,
): Promise<{ readonly ahead: number; readonly behind: number }> {
  if (head === base) return { ahead: 0, behind: 0 };
  return distances(`${head} ${base}`, async () => {
    const onTop = await countOnTop(lookup, base, head);
    if (onTop !== undefined) return { ahead: onTop, behind: 0 };
    const printed = await git.run(path, ['rev-list', '--left-right', '--count', `${head}...${base}`]);
    const [ahead = 0, behind = 0] = printed.trim().split('\t').map(Number);
    return { ahead, behind };
  });
}

/** During a rebase it stands on no branch, and whoever began that has to end it. */
async function standsOnBranch(git: Git, { workspace }: Ours): Promise<boolean> {
  const head = await git.ask(workspace.path, ['symbolic-ref', '--quiet', 'HEAD']);
  return head?.trim() === branchRef(workspace);
}

/** Merged in memory: nothing is checked out. */
async function conflictsOf(
  git: Git,
  { conflicts }: RepositoryView,
  { path, head, base }: Pair,
): Promise<readonly string[] | 'unknown'> {
  try {
    return await conflicts(`${head} ${base}`, async () => {
      const args = ['merge-tree', '--write-tree', '--name-only', '--no-messages', '-z', base, head];
      const { code, out } = await git.answer(path, args, { answers: [1] });
      const [, ...files] = code === 0 ? [] : out.split('\0');
      return files.filter((file) => file !== '').map((file) => printable(file));
    });
  } catch (error) {
    if (error instanceof LegionError && error.code === 'git.failed') return 'unknown';
    throw error;
  }
}
