/** Brings the commits of a workspace to the branch of the repository, and moves nothing else. */
import { realpath } from 'node:fs/promises';
import { LegionError } from '../../domain/fault.ts';
import { folderName } from '../../domain/ids.ts';
import { isRefusal } from '../../git/words.ts';
import { refuseBranch } from './branch-name.ts';
import type { Desk } from './desk.ts';
import { branchRef, type Repository } from './repository.ts';
import { workTreesOn } from './work-tree.ts';

/** One for all, because pushes to a repository come one after the other. */
const INCOMING = 'refs/legion/incoming';

/** Where the last push from a clone left the branch: a flat name, so that no branch can be in the way of another. */
const lastPushRef = (branch: string): string => `refs/legion/pushed/${folderName(branch)}`;

/**
 * In a work tree of the repository the branch is already there, and only has to be what the workspace stands on. From a
 * clone the commits are fetched. The branch moves forward; it moves to a rewritten history only while it still stands where
 * the last push left it, so that nobody else's commits are lost.
 */
export async function push({ repository, ci }: Desk, branch: string, workspace: string): Promise<string> {
  refuseBranch(branch, repository.base);
  const own = await standsOn(repository, branch, workspace);
  const sha = own ? await branchHead(repository, branch) : await fetchFrom(repository, branch, workspace);
  ci.start(branch, sha);
  return sha;
}

/** Whether the workspace is a work tree of the repository; one that stands elsewhere is refused. */
async function standsOn(repository: Repository, branch: string, workspace: string): Promise<boolean> {
  const args = ['rev-parse', '--symbolic-full-name', 'HEAD', '--path-format=absolute', '--git-common-dir'];
  try {
    const { out } = await repository.runIn(workspace, args);
    const [ref = '', ...folder] = out.replace(/\n$/, '').split('\n');
    if (ref !== branchRef(branch)) throw unusable(workspace, `stands on ${ref}, not on ${branch}`);
    return (await realpath(folder.join('\n'))) === repository.gitDir;
  } catch (error) {
    if (error instanceof LegionError && !isRefusal(error)) throw error;
    throw unusable(workspace, error instanceof Error ? error.message : String(error), error);
  }
}

function unusable(workspace: string, why: string, cause?: unknown): LegionError {
  return new LegionError('forge.workspace_unusable', `${workspace}: ${why}`, { cause });
}

async function branchHead(repository: Repository, branch: string): Promise<string> {
  const sha = await repository.commit(branchRef(branch));
  if (sha === undefined) throw new LegionError('forge.branch_missing', `${branch} has no commit yet`);
  return sha;
}

async function fetchFrom(repository: Repository, branch: string, workspace: string): Promise<string> {
  const quiet = [
    '--quiet',
    '--no-tags',
    '--no-write-fetch-head',
    '--no-auto-maintenance',
    '--no-recurse-submodules',
  ];
  // The workspace belongs to a worker: what it hands over is checked as an outsider's.
  const checked = ['-c', 'fetch.fsckObjects=true'];
  await repository.run([...checked, 'fetch', ...quiet, '--', workspace, `+${branchRef(branch)}:${INCOMING}`]);
  const to = await repository.commit(INCOMING);
  const from = await repository.commit(branchRef(branch));
  if (to === undefined) throw new LegionError('forge.branch_missing', `${branch} has no commit yet`);
  const lastPush = await repository.commit(lastPushRef(branch));
  if (from !== to) await refuseLoss(repository, branch, { from, to, lastPush });
  const moved = await repository.transact([
    ...(from === to ? [] : [{ ref: branchRef(branch), to, from }]),
    ...(lastPush === to ? [] : [{ ref: lastPushRef(branch), to, from: lastPush }]),
    { ref: INCOMING, delete: true },
  ]);
  if (moved) return to;
  throw new LegionError('forge.branch_moved', `${branch} was moved by somebody else just now`);
}

interface Move {
  readonly from: string | undefined;
  readonly to: string;
  readonly lastPush: string | undefined;
}

async function refuseLoss(
  repository: Repository,
  branch: string,
  { from, to, lastPush }: Move,
): Promise<void> {
  const [folder] = await workTreesOn(repository, branch);
  if (folder !== undefined) {
    throw new LegionError('forge.branch_checked_out', `${branch} is checked out in ${folder}`);
  }
  if (from === undefined || from === lastPush || (await repository.isAncestor(from, to))) return;
  const left =
    lastPush === undefined ? 'nothing was pushed from here before' : `the last push left it at ${lastPush}`;
  throw new LegionError(
    'forge.branch_moved',
    `${branch} is at ${from}, which ${to} does not contain; ${left}`,
  );
}
