/**
 * Checks the workspace of a push, and fetches a separate clone's commits into the repository under a
 * temporary reference.
 */
import { readFile, realpath } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { LegionError } from '../../core/model/fault.ts';
import { toFolderName } from '../../core/model/ids.ts';
import { isRefusal } from '../../git/errors.ts';
import { type GitRepository, toBranchRef } from './repository.ts';

/** A single reference suffices, because pushes to a repository are serialised. */
export const INCOMING = 'refs/legion/incoming';

/**
 * Returns the reference that records where the last push from a workspace left the branch. The
 * branch name is encoded as a single path segment, so that a branch `a` cannot block a branch
 * `a/b`.
 */
export const toLastPushRef = (branch: string): string => `refs/legion/pushed/${toFolderName(branch)}`;

/** Options that restrict a fetch to transferring commits. */
export const ONLY_COMMITS: readonly string[] = [
  '--quiet',
  '--no-tags',
  '--no-write-fetch-head',
  '--no-auto-maintenance',
  '--no-recurse-submodules',
];

/**
 * Resolves to the branch's commit in the workspace. `INCOMING` protects the commit from garbage
 * collection until the reference is deleted.
 */
export async function fetchIncoming(
  repository: GitRepository,
  branch: string,
  workspace: string,
): Promise<string> {
  // The workspace belongs to a worker, so its objects are checked like an outsider's.
  const checked = ['-c', 'fetch.fsckObjects=true'];
  await repository.run([
    ...checked,
    'fetch',
    ...ONLY_COMMITS,
    '--',
    workspace,
    `+${toBranchRef(branch)}:${INCOMING}`,
  ]);
  const sha = await repository.commit(INCOMING);
  if (sha === undefined) throw new LegionError('forge.branch_missing', `${branch} has no commit yet`);
  return sha;
}

/**
 * Returns whether the workspace is a work tree of the repository. Throws if the workspace has a
 * branch other than `branch` checked out.
 */
export async function isOwnWorkTree(
  repository: GitRepository,
  branch: string,
  workspace: string,
): Promise<boolean> {
  if (await isWorkTreeOn(repository, branch, workspace)) return true;
  const args = ['rev-parse', '--symbolic-full-name', 'HEAD', '--path-format=absolute', '--git-common-dir'];
  try {
    // The HEAD of a bare repository means nothing, and may point to a branch that does not exist.
    if (await isBare(repository, workspace)) return false;
    const { out } = await repository.runIn(workspace, args);
    const [ref = '', ...folder] = out.replace(/\n$/, '').split('\n');
    if (ref !== toBranchRef(branch))
      throw createUnusableFault(workspace, `${ref} is checked out instead of ${branch}`);
    return (await realpath(folder.join('\n'))) === repository.gitDir;
  } catch (error) {
    if (error instanceof LegionError && !isRefusal(error)) throw error;
    throw createUnusableFault(workspace, error instanceof Error ? error.message : String(error), error);
  }
}

/** A jj workspace has no git directory of its own; its branch is in a bare repository. */
async function isBare(repository: GitRepository, folder: string): Promise<boolean> {
  const { out } = await repository.runIn(folder, ['rev-parse', '--is-bare-repository']);
  return out.trim() === 'true' && (await realpath(folder)) !== repository.gitDir;
}

/**
 * Returns true if the files in `.git` already prove that the workspace is a work tree on this
 * branch, as they do in every workspace that Legion creates. If they do not, git decides.
 */
async function isWorkTreeOn(
  { gitDir }: Pick<GitRepository, 'gitDir'>,
  branch: string,
  workspace: string,
): Promise<boolean> {
  try {
    const link = await readFile(join(workspace, '.git'), 'utf8');
    const entry = resolve(workspace, /^gitdir: ([^\n]+)\n?$/.exec(link)?.[1] ?? '');
    const [head, common] = await Promise.all(
      ['HEAD', 'commondir'].map(async (name) => (await readFile(join(entry, name), 'utf8')).trim()),
    );
    if (head !== `ref: ${toBranchRef(branch)}` || common === undefined) return false;
    return (await realpath(resolve(entry, common))) === gitDir;
  } catch {
    return false;
  }
}

function createUnusableFault(workspace: string, why: string, cause?: unknown): LegionError {
  return new LegionError('forge.workspace_unusable', `${workspace}: ${why}`, { cause });
}
