/** Creates a jj workspace, and restores a deleted one from the operation log. */
import { lstat } from 'node:fs/promises';
import { LegionError } from '../../core/model/fault.ts';
import type { IssueId } from '../../core/model/ids.ts';
import { findCommit } from '../../git/lookup.ts';
import type { GitRunner } from '../../git/runner.ts';
import { discardFolder, toIssueBranchRef } from '../git-worktree/create.ts';
import { readIfPresent } from '../git-worktree/faults.ts';
import type { WorktreeLocation } from '../git-worktree/paths.ts';
import type { BaseBranch, RepositoryView } from '../git-worktree/repository.ts';
import { type JjMarker, requireStoreLink, writeMarker } from './inspect.ts';
import type { JjRunner } from './runner.ts';
import type { JjStore } from './store.ts';
import { readBookmarkTargets } from './work.ts';

export interface CreateJjWorkspaceOptions {
  readonly root: string;
  readonly legion: string;
  readonly location: WorktreeLocation;
  readonly base: BaseBranch;
  /** The repository as git sees it. */
  readonly repository: RepositoryView;
  /** Marker of a workspace that was deleted or left half created. */
  readonly marker: JjMarker | undefined;
}

/** Requires the repository's lock, a store with the newest base, and no complete workspace. */
export async function createJjWorkspace(
  git: GitRunner,
  jj: JjRunner,
  store: JjStore,
  options: CreateJjWorkspaceOptions,
): Promise<void> {
  const { root, legion, location, base, marker } = options;
  const { issue, folder, path } = location;
  if (base.name === issue) {
    throw new LegionError(
      'workspace.branch_taken',
      `The branch of issue ${issue} would have the name of the base branch of ${store.common}`,
    );
  }
  const restore = marker && (await findLostWork(jj, store, issue, marker));
  const own = { legion, issue, common: store.common, restore: restore?.commit };
  const start = restore?.parents ?? [await ensureBookmark(git, jj, store, options)];
  await writeMarker(root, folder, { ...own, state: 'creating' });
  // Only a killed process can have left something here: the marker says that Legion created it.
  if ((await readIfPresent(lstat(path))) !== undefined) await discardFolder(path);
  await jj.inStore(store.path, ['workspace', 'forget', issue]);
  const revisions = start.flatMap((commit) => ['-r', commit]);
  await jj.addToStore(store.path, ['workspace', 'add', path, '--name', issue, ...revisions]);
  requireStoreLink(path, store.path);
  if (restore !== undefined) await jj.inWorkspace(path, ['edit', restore.commit]);
  await writeMarker(root, folder, { ...own, restore: undefined, state: 'ready' });
}

/**
 * Maximum number of operations searched. The operation that forgot a workspace is one of the
 * workspace's last. Each check takes about 20 ms.
 */
const MAX_SEARCHED_OPERATIONS = 50;

interface LostWork {
  readonly commit: string;
  readonly parents: readonly string[];
}

/** Returns the last recorded state of a deleted workspace. */
async function findLostWork(
  jj: JjRunner,
  store: JjStore,
  issue: IssueId,
  { state, restore }: JjMarker,
): Promise<LostWork | undefined> {
  if (restore !== undefined) return readLostCommit(jj, store, restore);
  if (state === 'creating') return undefined;
  const workingCopy = `${JSON.stringify(issue)}@`;
  const present = await readLostCommit(jj, store, `present(${workingCopy})`);
  if (present !== undefined) return present;
  // Even the workspace was forgotten, so search its own operations. The newest of them may be the
  // operation that forgot the workspace. jj quotes a name only if it must.
  const names = [`${issue}@`, workingCopy].map(
    (name) => `stringify(workspace_name) == ${JSON.stringify(name)}`,
  );
  const template = `if(${names.join(' || ')}, id ++ "\\n")`;
  const { out } = await jj.inStore(store.path, ['op', 'log', '--no-graph', '-T', template]);
  const operations = out.split('\n').filter((line) => line !== '');
  for (const operation of operations.slice(0, MAX_SEARCHED_OPERATIONS)) {
    const found = await readLostCommit(jj, store, `present(${workingCopy})`, ['--at-op', operation]);
    if (found !== undefined) return found;
  }
  return undefined;
}

async function readLostCommit(
  jj: JjRunner,
  store: JjStore,
  revset: string,
  at: readonly string[] = [],
): Promise<LostWork | undefined> {
  const template = 'commit_id ++ " " ++ parents.map(|p| p.commit_id()).join(" ") ++ "\\n"';
  const { out } = await jj.inStore(store.path, [...at, 'log', '--no-graph', '-r', revset, '-T', template]);
  const [commit, ...parents] = out.trim().split(' ');
  return commit === undefined || commit === '' ? undefined : { commit, parents };
}

/** Returns the commit of the issue's bookmark. Creates the bookmark if it does not exist yet. */
async function ensureBookmark(
  git: GitRunner,
  jj: JjRunner,
  store: JjStore,
  { location: { issue }, base, repository }: CreateJjWorkspaceOptions,
): Promise<string> {
  const [present, ...others] = await readBookmarkTargets(jj, store.path, issue);
  if (others.length > 0) throw createDivergedFault(issue, [present ?? '', ...others]);
  if (present !== undefined) return present;
  const branch = await findCommit(repository.lookup, toIssueBranchRef({ issue }));
  if (branch !== undefined) {
    const refspec = `${toIssueBranchRef({ issue })}:${toIssueBranchRef({ issue })}`;
    await git.run(store.git, [
      'fetch',
      '--quiet',
      '--no-tags',
      '--no-write-fetch-head',
      store.common,
      refspec,
    ]);
    await jj.inStore(store.path, ['git', 'import']);
    return branch;
  }
  await jj.inStore(store.path, ['bookmark', 'set', issue, '-r', base.commit]);
  return base.commit;
}

export function createDivergedFault(issue: IssueId, targets: readonly string[]): LegionError {
  const commits = targets.map((commit) => commit.slice(0, 12)).join(', ');
  return new LegionError('jj.bookmark_diverged', `Bookmark ${issue} points to several commits: ${commits}`);
}
