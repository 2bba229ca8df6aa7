/** Brings a workspace without work of its own to the newest base, and tells how far every other one is behind. */
import { LegionError } from '../../domain/fault.ts';
import type { Git } from '../../git/runner.ts';
import { printable } from '../../git/words.ts';
import type { BaseStanding } from '../workspace.ts';
import { branchRef } from './create.ts';
import type { Ours } from './inspect.ts';
import { type BaseOptions, baseOf } from './repository.ts';
import { standingOf } from './standing.ts';

/** For the holder of the repository's lock, because it moves the branch. */
export async function bringToBase(git: Git, ours: Ours, options: BaseOptions): Promise<BaseStanding> {
  const { workspace, common } = ours;
  const { path } = workspace;
  const base = await baseOf(git, common, options);
  const { uncommitted } = await standingOf(git, path);
  const { ahead, behind } = await distance(git, path, base.commit);
  const name = base.ref.replace(/^refs\/(heads|remotes)\//, '');
  const standing = { base: name, ahead, behind, uncommitted, conflicts: [], moved: false };
  if (behind === 0) return standing;
  if (ahead > 0) return { ...standing, conflicts: await conflictsWith(git, path, base.commit) };
  if (uncommitted.length > 0 || !(await standsOnBranch(git, ours))) return standing;
  return (await fastForward(git, path, base.commit)) ? { ...standing, behind: 0, moved: true } : standing;
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

async function distance(git: Git, path: string, base: string): Promise<{ ahead: number; behind: number }> {
  const printed = await git.run(path, ['rev-list', '--left-right', '--count', `HEAD...${base}`]);
  const [ahead = 0, behind = 0] = printed.trim().split('\t').map(Number);
  return { ahead, behind };
}

/** During a rebase it stands on no branch, and whoever began that has to end it. */
async function standsOnBranch(git: Git, { workspace }: Ours): Promise<boolean> {
  const head = await git.ask(workspace.path, ['symbolic-ref', '--quiet', 'HEAD']);
  return head?.trim() === branchRef(workspace);
}

/** Merged in memory: nothing is checked out. */
async function conflictsWith(git: Git, path: string, base: string): Promise<readonly string[] | 'unknown'> {
  const args = ['merge-tree', '--write-tree', '--name-only', '--no-messages', '-z', base, 'HEAD'];
  try {
    const { code, out } = await git.answer(path, args, { answers: [1] });
    const [, ...files] = code === 0 ? [] : out.split('\0');
    return files.filter((file) => file !== '').map((file) => printable(file));
  } catch (error) {
    if (error instanceof LegionError && error.code === 'git.failed') return 'unknown';
    throw error;
  }
}
