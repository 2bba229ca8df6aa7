/** Workspaces as git worktrees: one directory per issue below a root, linked to its repository. */
import { mkdir, readdir, realpath } from 'node:fs/promises';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import type { EnvironmentVariables } from '../../core/model/environment.ts';
import { LegionError } from '../../core/model/fault.ts';
import type { IssueId } from '../../core/model/ids.ts';
import type { ObjectLookup } from '../../git/lookup.ts';
import { createGitRunner, type GitRunner } from '../../git/runner.ts';
import { checkOutSubmodules } from '../../git/submodules.ts';
import { createKeyedMutex } from '../../lib/async/mutex.ts';
import type { Workspace, WorkspaceStatus, Workspaces } from '../../ports/workspace.ts';
import { withRepositoryLockFile } from '../repository-lock.ts';
import { bringToBase, compareWithBase } from './bring-to-base.ts';
import { createWorktree } from './create.ts';
import { withWorkspaceFaults } from './faults.ts';
import { clearDeadLocks } from './git-lock.ts';
import {
  inspectWorktree,
  type OwnWorktree,
  readChangedAt,
  readWorktreeStatus,
  type WorktreeInspection,
} from './inspect.ts';
import { resolveWorktreeLocation, type WorktreeLocation } from './paths.ts';
import { removeWorktree } from './remove.ts';
import {
  type BaseOptions,
  createRepositoryView,
  type RepositoryView,
  requireCommonFolder,
} from './repository.ts';
import { sweepLeftovers } from './sweep.ts';

export interface GitWorktreeOptions {
  /** Base options of a repository, by the real path of its common directory. */
  readonly baseFor?: ((common: string) => BaseOptions) | undefined;
  /** A long-running git for the repository. Without one, each lookup starts a process. */
  readonly lookupFor?: ((common: string) => ObjectLookup | undefined) | undefined;
  /** Directory of all workspaces, created if it does not exist. */
  readonly root: string;
  /**
   * Written to every marker, so that a workspace of another legion is recognised and never touched.
   */
  readonly legion: string;
  readonly environment: EnvironmentVariables;
  readonly gitTimeoutMs?: number;
  readonly lockTimeoutMs?: number;
}

/**
 * Located in the repository's common directory, so that all legions that use the repository share
 * the lock.
 */
const LOCK_FOLDER = 'legion-lock';
/**
 * Time for which a workspace's state may be reused. Long enough to cover the time from a report to
 * the start of the next worker, but too short for a worker to do anything after its report.
 */
const STATUS_REUSE_MS = 100;
export async function openGitWorktrees(options: GitWorktreeOptions): Promise<Workspaces> {
  const { legion, environment, gitTimeoutMs: timeoutMs, lockTimeoutMs } = options;
  const { baseFor = (): BaseOptions => ({}), lookupFor = () => undefined } = options;
  const root = await withWorkspaceFaults(options.root, async () => {
    await mkdir(options.root, { recursive: true, mode: 0o700 });
    return realpath(options.root);
  });
  const mutex = createKeyedMutex();
  const reader = createGitRunner({ environment, timeoutMs });

  /** Repositories that were fully swept and have had no failure since. */
  const clean = new Set<string>();

  /** Resolved once per repository. A repository that is moved while in use is not supported. */
  const commons = new Map<string, string>();
  async function resolveCommon(repository: string): Promise<string> {
    const common = commons.get(repository) ?? (await requireCommonFolder(reader, repository));
    commons.set(repository, common);
    return common;
  }

  const views = new Map<string, RepositoryView>();
  function getView(common: string): RepositoryView {
    const known = views.get(common);
    if (known !== undefined) return known;
    const view = createRepositoryView(reader, { ...baseFor(common), common, lookup: lookupFor(common) });
    views.set(common, view);
    return view;
  }

  /**
   * Every change to the repository runs through this function, which takes the lock and cleans up
   * leftovers first.
   */
  function withRepositoryLock<T>(
    common: string,
    folder: string | undefined,
    work: (git: GitRunner, swept: readonly string[]) => Promise<T>,
  ): Promise<T> {
    return mutex(common, () =>
      withRepositoryLockFile(join(common, LOCK_FOLDER), lockTimeoutMs, async (keepOpen) => {
        const swept = await sweepLeftovers(root, common, clean.delete(common) ? folder : undefined);
        const result = await work(createGitRunner({ environment, timeoutMs, keepOpen }), swept);
        clean.add(common);
        return result;
      }),
    );
  }

  const inspect = (folder: string) => inspectWorktree(root, folder, legion);

  /**
   * Caches the state of a workspace, because it is read to judge a report and read again when the
   * next worker starts a moment later.
   */
  const statuses = new Map<string, { readonly status: WorkspaceStatus; readonly at: number }>();
  function takeRecentStatus(folder: string): WorkspaceStatus | undefined {
    const last = statuses.get(folder);
    statuses.delete(folder);
    return last !== undefined && performance.now() - last.at < STATUS_REUSE_MS ? last.status : undefined;
  }

  /**
   * Checks out submodules outside the lock, because fetching them uses the network and others need
   * not wait for it.
   */
  async function ensure(location: WorktreeLocation, repository: string): Promise<Workspace> {
    const common = await resolveCommon(repository);
    const workspace = await ensureWorktree(location, common);
    await checkOutSubmodules(reader, { folder: workspace.path, repository: common });
    return workspace;
  }

  async function ensureWorktree(location: WorktreeLocation, common: string): Promise<Workspace> {
    const worktree = requireOwnWorktree(inspect(location.folder), common);
    if (worktree?.linked === true) {
      await clearDeadLocks(worktree);
      return worktree.workspace;
    }
    return withRepositoryLock(common, location.folder, async (git) => {
      const present = requireOwnWorktree(inspect(location.folder), common);
      if (present !== undefined) return present.workspace;
      await createWorktree(git, getView(common), { legion, root, location });
      return { issue: location.issue, path: location.path, branch: location.issue };
    });
  }

  async function list(): Promise<readonly Workspace[]> {
    const workspaces: Workspace[] = [];
    for (const entry of await readdir(root, { withFileTypes: true })) {
      if (!entry.isDirectory() || entry.name.startsWith('.')) continue;
      const inspection = inspect(entry.name);
      if (inspection.kind === 'ours') workspaces.push(inspection.ours.workspace);
      await setImmediate(); // a long list must not block the event loop
    }
    return workspaces.sort((one, other) => (one.issue < other.issue ? -1 : 1));
  }

  const find = (issue: IssueId) =>
    withWorkspaceFaults(`workspace of ${issue}`, async () => {
      const inspection = inspect(resolveWorktreeLocation(root, issue).folder);
      return inspection.kind === 'ours' ? inspection.ours.workspace : undefined;
    });

  return {
    kind: 'git-worktree',
    buildWorkerEnvironment: () => ({}),
    // Git records only what is committed.
    snapshot: async () => undefined,
    exportBranch: async (issue) => (await find(issue))?.path,
    async locateChanges(issue) {
      const path = (await find(issue))?.path;
      return path === undefined ? undefined : { folder: path };
    },
    ensure: (issue, repository) =>
      withWorkspaceFaults(`workspace of ${issue}`, async () =>
        ensure(resolveWorktreeLocation(root, issue), repository),
      ),
    find,
    readStatus: (issue) =>
      withWorkspaceFaults(`workspace of ${issue}`, async () => {
        const { folder, path } = resolveWorktreeLocation(root, issue);
        if (requireOwnWorktree(inspect(folder)) === undefined) return undefined;
        const at = performance.now();
        const status = await readWorktreeStatus(reader, path);
        statuses.set(folder, { status, at });
        return status;
      }),
    bringToBase: (issue) =>
      withWorkspaceFaults(`workspace of ${issue}`, async () => {
        const { folder } = resolveWorktreeLocation(root, issue);
        const worktree = requireOwnWorktree(inspect(folder));
        if (worktree === undefined) return undefined;
        const view = getView(worktree.common);
        const { comparison, moveTo } = await compareWithBase(
          reader,
          view,
          worktree,
          takeRecentStatus(folder),
        );
        if (moveTo === undefined) return comparison;
        return withRepositoryLock(worktree.common, folder, async (git) => {
          const present = requireOwnWorktree(inspect(folder));
          return present && bringToBase(git, view, present);
        });
      }),
    changedAt: (issue) =>
      withWorkspaceFaults(`workspace of ${issue}`, async () => {
        const { folder, path } = resolveWorktreeLocation(root, issue);
        return requireOwnWorktree(inspect(folder)) === undefined ? undefined : readChangedAt(reader, path);
      }),
    list: () => withWorkspaceFaults(root, list),
    remove: (issue, merge) =>
      withWorkspaceFaults(`workspace of ${issue}`, async () => {
        const { folder } = resolveWorktreeLocation(root, issue);
        statuses.delete(folder);
        const worktree = requireOwnWorktree(inspect(folder));
        if (worktree === undefined) return { removed: true };
        return withRepositoryLock(worktree.common, folder, async (git) => {
          const present = requireOwnWorktree(inspect(folder));
          if (present === undefined) return { removed: true };
          const { remote } = baseFor(worktree.common);
          return removeWorktree(git, getView(worktree.common), present, {
            root,
            remote,
            mergedAs: merge?.mergedAs,
          });
        });
      }),
    prune: (repository) =>
      withWorkspaceFaults(repository, async () =>
        withRepositoryLock(await resolveCommon(repository), undefined, async (_git, swept) => swept),
      ),
  };
}

/**
 * Returns undefined if nothing exists. Throws if the directory is foreign or belongs to another
 * repository.
 */
function requireOwnWorktree(inspection: WorktreeInspection, common?: string): OwnWorktree | undefined {
  if (inspection.kind === 'nothing') return undefined;
  if (inspection.kind === 'foreign') throw new LegionError('workspace.foreign', inspection.why);
  if (common !== undefined && inspection.ours.common !== common) {
    const { workspace } = inspection.ours;
    throw new LegionError(
      'workspace.other_repository',
      `${workspace.path} is a worktree of ${inspection.ours.common}`,
    );
  }
  return inspection.ours;
}
