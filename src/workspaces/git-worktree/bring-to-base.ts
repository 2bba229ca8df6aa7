/**
 * Moves a workspace without commits of its own to the newest base, and reports how far any other
 * workspace is behind.
 */
import { LegionError } from '../../core/model/fault.ts';
import { toPrintableLine } from '../../git/errors.ts';
import { countOnTop } from '../../git/lookup.ts';
import type { GitRunner } from '../../git/runner.ts';
import type { BaseComparison, WorkspaceStatus } from '../../ports/workspace.ts';
import { toIssueBranchRef } from './create.ts';
import { type OwnWorktree, readWorktreeStatus } from './inspect.ts';
import type { RepositoryView } from './repository.ts';

export interface BaseMovePlan {
  readonly comparison: BaseComparison;
  /** The commit to move to. Undefined if the workspace must stay as it is. */
  readonly moveTo: string | undefined;
}

/**
 * Compares without changing anything. `recent` is a recent state of the workspace; if it is absent,
 * git reads the state.
 */
export async function compareWithBase(
  git: GitRunner,
  repository: RepositoryView,
  ours: OwnWorktree,
  recent?: WorkspaceStatus,
): Promise<BaseMovePlan> {
  const { path } = ours.workspace;
  const [base, { head, uncommitted }] = await Promise.all([
    repository.findBase(),
    recent ?? readWorktreeStatus(git, path),
  ]);
  const pair = { path, head, base: base.commit };
  const { ahead, behind } = await computeBaseDistance(git, repository, pair);
  const conflicts = ahead > 0 && behind > 0 ? await findConflicts(git, repository, pair) : [];
  const name = base.ref.replace(/^refs\/(heads|remotes)\//, '');
  const comparison = { base: name, ahead, behind, uncommitted, conflicts, moved: false };
  const isMovable = behind > 0 && ahead === 0 && uncommitted.length === 0;
  return { comparison, moveTo: isMovable && (await isOnIssueBranch(git, ours)) ? base.commit : undefined };
}

/** Requires the repository's lock, because it moves the issue's branch. */
export async function bringToBase(
  git: GitRunner,
  repository: RepositoryView,
  ours: OwnWorktree,
): Promise<BaseComparison> {
  const { comparison, moveTo } = await compareWithBase(git, repository, ours);
  if (moveTo === undefined || !(await fastForward(git, ours.workspace.path, moveTo))) return comparison;
  return { ...comparison, behind: 0, moved: true };
}

/**
 * Returns whether the branch moved. If git refuses, the worker starts on the old commit and is
 * informed that it is behind.
 */
async function fastForward(git: GitRunner, path: string, commit: string): Promise<boolean> {
  try {
    await git.run(path, ['merge', '--quiet', '--ff-only', commit]);
    return true;
  } catch (error) {
    if (error instanceof LegionError && error.code === 'git.failed') return false;
    throw error;
  }
}

interface CommitPair {
  readonly path: string;
  readonly head: string;
  readonly base: string;
}

async function computeBaseDistance(
  git: GitRunner,
  { distances, lookup }: RepositoryView,
  { path, head, base }: CommitPair,
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

/**
 * During a rebase no branch is checked out, and the process that started the rebase must finish it.
 */
async function isOnIssueBranch(git: GitRunner, { workspace }: OwnWorktree): Promise<boolean> {
  const head = await git.ask(workspace.path, ['symbolic-ref', '--quiet', 'HEAD']);
  return head?.trim() === toIssueBranchRef(workspace);
}

/** Merges in memory, without a checkout. */
async function findConflicts(
  git: GitRunner,
  { conflicts }: RepositoryView,
  { path, head, base }: CommitPair,
): Promise<readonly string[] | 'unknown'> {
  try {
    return await conflicts(`${head} ${base}`, async () => {
      const args = ['merge-tree', '--write-tree', '--name-only', '--no-messages', '-z', base, head];
      const { code, out } = await git.answer(path, args, { answers: [1] });
      const [, ...files] = code === 0 ? [] : out.split('\0');
      return files.filter((file) => file !== '').map((file) => toPrintableLine(file));
    });
  } catch (error) {
    if (error instanceof LegionError && error.code === 'git.failed') return 'unknown';
    throw error;
  }
}
