/** Removes a jj workspace unless work would be lost. */
import { randomUUID } from 'node:crypto';
import { mkdir, rename } from 'node:fs/promises';
import { join } from 'node:path';
import type { GitRunner } from '../../git/runner.ts';
import { type RemovalResult, STORE_REMOTE_NAME, type Workspace } from '../../ports/workspace.ts';
import { discardFolder } from '../git-worktree/create.ts';
import { formatNames, isMerged } from '../git-worktree/remove.ts';
import type { BaseBranch } from '../git-worktree/repository.ts';
import { deleteMarker } from './inspect.ts';
import type { JjRunner } from './runner.ts';
import { JJ_FOLDER, type JjStore } from './store.ts';
import { findHead, listCommits, readBookmarkTargets, readWorkingCopy, toWorkspaceStatus } from './work.ts';

export interface RemoveJjOptions {
  readonly root: string;
  readonly folder: string;
  readonly base: BaseBranch;
  readonly mergedAs?: string | undefined;
}

/** Requires the repository's lock and a store that knows the newest base and remote branches. */
export async function removeJjWorkspace(
  git: GitRunner,
  jj: JjRunner,
  store: JjStore,
  workspace: Workspace,
  options: RemoveJjOptions,
): Promise<RemovalResult> {
  const { issue, path } = workspace;
  const copy = await readWorkingCopy(jj, path);
  const bookmarks = await readBookmarkTargets(jj, store.path, issue);
  const unmerged: string[] = [];
  for (const tip of new Set([...bookmarks, findHead(copy)])) {
    const { base, mergedAs } = options;
    if (!(await isMerged(git, store.view, { tip, base: base.commit, mergedAs }))) unmerged.push(tip);
  }
  const holds = [
    ...formatNames('uncommitted', toWorkspaceStatus(copy).uncommitted),
    ...formatNames('nested git repository', await listNestedRepositories(git, store, path)),
    ...(await listHeldCommits(jj, store, unmerged)),
  ];
  if (holds.length > 0) return { removed: false, holds };

  // Moves the workspace away with one rename, because a kill must not leave half a workspace that
  // looks complete.
  const trash = join(await ensureTrash(options.root), randomUUID());
  await rename(path, trash);
  await jj.inStore(store.path, ['workspace', 'forget', issue]);
  await deleteMarker(options.root, options.folder);
  if (bookmarks.length > 0 && !bookmarks.some((tip) => unmerged.includes(tip))) {
    await jj.inStore(store.path, ['bookmark', 'delete', `exact:${JSON.stringify(issue)}`]);
    await jj.inStore(store.path, ['git', 'export']);
  }
  await discardFolder(trash);
  return { removed: true };
}

export async function ensureTrash(root: string): Promise<string> {
  const folder = join(root, JJ_FOLDER, 'trash');
  await mkdir(folder, { recursive: true, mode: 0o700 });
  return folder;
}

/** Lists commits that exist only here, according to jj. */
async function listHeldCommits(
  jj: JjRunner,
  store: JjStore,
  tips: readonly string[],
): Promise<readonly string[]> {
  if (tips.length === 0) return [];
  const pushed = `remote_bookmarks(remote=exact:"${STORE_REMOTE_NAME}")`;
  const held = `(${pushed}..(${tips.join('|')})) ~ (empty() & description(exact:""))`;
  return formatNames('neither merged nor pushed', await listCommits(jj, store.path, held));
}

/** jj does not record nested repositories, so their files would be lost without a trace. */
async function listNestedRepositories(
  git: GitRunner,
  store: JjStore,
  path: string,
): Promise<readonly string[]> {
  const where = [`--git-dir=${store.git}`, `--work-tree=${path}`];
  const list = ['ls-files', '--others', '--exclude-standard', '-z'];
  const found = (await git.run(path, [...where, ...list])).split('\0');
  return found.filter((name) => name.endsWith('/'));
}
