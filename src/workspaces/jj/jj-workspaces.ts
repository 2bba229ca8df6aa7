/** Workspaces in jj: one jj repository per repository, with one jj workspace per issue. */
import { mkdir, readdir, realpath } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { EnvironmentVariables } from '../../core/model/environment.ts';
import { LegionError } from '../../core/model/fault.ts';
import type { IssueId } from '../../core/model/ids.ts';
import type { ObjectLookup } from '../../git/lookup.ts';
import { createGitRunner, type GitRunner } from '../../git/runner.ts';
import { createKeyedMutex } from '../../lib/async/mutex.ts';
import type { Workspace, Workspaces } from '../../ports/workspace.ts';
import { discardFolder } from '../git-worktree/create.ts';
import { readIfPresent, withWorkspaceFaults } from '../git-worktree/faults.ts';
import { resolveWorktreeLocation, type WorktreeLocation } from '../git-worktree/paths.ts';
import {
  type BaseBranch,
  type BaseOptions,
  createRepositoryView,
  type RepositoryView,
  requireCommonFolder,
  resolveRemoteRefs,
} from '../git-worktree/repository.ts';
import { withRepositoryLockFile } from '../repository-lock.ts';
import { bringJjToBase } from './bring-to-base.ts';
import { createJjWorkspace } from './create.ts';
import { exportJjBranch } from './export-branch.ts';
import { deleteMarker, inspectJjWorkspace, requireStoreLink } from './inspect.ts';
import { ensureTrash, removeJjWorkspace } from './remove.ts';
import { createJjRunner, type JjRunner } from './runner.ts';
import { ensureStore, JJ_FOLDER, type JjStore, resolveConfigPath, resolveStore, syncStore } from './store.ts';
import { readJjChangedAt, readWorkingCopy, snapshotWorkspace, toWorkspaceStatus } from './work.ts';

export interface JjWorkspacesOptions {
  /** Base options of a repository, by the real path of its common directory. */
  readonly baseFor?: ((common: string) => BaseOptions) | undefined;
  /** A long-running git for the repository. Without one, each lookup starts a process. */
  readonly lookupFor?: ((common: string) => ObjectLookup | undefined) | undefined;
  /** Directory of all workspaces, created if it does not exist. */
  readonly root: string;
  /** Written to every marker, so that a workspace of another legion is recognised and never touched. */
  readonly legion: string;
  readonly environment: EnvironmentVariables;
  /** Author of workers that have no identity of their own. */
  readonly identity?: JjIdentity | undefined;
}

interface JjIdentity {
  readonly name: string;
  readonly email: string;
}

const DEFAULT_IDENTITY: JjIdentity = { name: 'legion worker', email: 'worker@legion.invalid' };

/**
 * Interval between snapshots. If a directory is deleted, at most a minute of work is lost, even if
 * the timer is late.
 */
const SNAPSHOT_INTERVAL_MS = 45_000;

/** Everything that belongs to one repository. */
interface JjRepository {
  readonly store: JjStore;
  readonly jj: JjRunner;
  readonly view: RepositoryView;
  readonly remoteRefs: string;
}

interface OwnJjWorkspace {
  readonly workspace: Workspace;
  readonly repository: JjRepository;
}

type Programs = { readonly git: GitRunner; readonly jj: JjRunner };

export async function openJjWorkspaces(options: JjWorkspacesOptions): Promise<Workspaces> {
  const { legion, environment, identity = DEFAULT_IDENTITY } = options;
  const { baseFor = (): BaseOptions => ({}), lookupFor = () => undefined } = options;
  const root = await withWorkspaceFaults(options.root, async () => {
    await mkdir(options.root, { recursive: true, mode: 0o700 });
    return realpath(options.root);
  });
  const mutex = createKeyedMutex();
  const config = resolveConfigPath(root);
  const reader = createGitRunner({ environment });

  const repositories = new Map<string, JjRepository>();
  function getRepository(common: string): JjRepository {
    const known = repositories.get(common);
    if (known !== undefined) return known;
    const base = baseFor(common);
    const store = resolveStore(reader, root, common);
    const repository: JjRepository = {
      store,
      jj: createJjRunner({ environment, config, store: store.path }),
      view: createRepositoryView(reader, { ...base, common, lookup: lookupFor(common) }),
      remoteRefs: resolveRemoteRefs(base.remote),
    };
    repositories.set(common, repository);
    return repository;
  }

  /**
   * Every change to the store runs through this function, because concurrent changes would
   * conflict.
   */
  function withStoreLock<T>({ store }: JjRepository, work: (programs: Programs) => Promise<T>): Promise<T> {
    return mutex(store.common, () =>
      withRepositoryLockFile(join(dirname(store.path), 'lock'), undefined, async (keepOpen) => {
        const programs = {
          git: createGitRunner({ environment, keepOpen }),
          jj: createJjRunner({ environment, config, store: store.path, keepOpen }),
        };
        await ensureStore(programs.git, programs.jj, root, store);
        return work(programs);
      }),
    );
  }

  /** The base commits that the stores are known to have. */
  const synced = new Map<string, string>();
  async function syncBase(
    { store, view, remoteRefs }: JjRepository,
    { git, jj }: Programs,
    always: boolean,
  ): Promise<BaseBranch> {
    const base = await view.findBase();
    if (always || synced.get(store.common) !== base.commit) {
      await syncStore(git, jj, store, { base, remoteRefs });
      synced.set(store.common, base.commit);
    }
    return base;
  }

  /** Returns undefined if there is no complete workspace. Throws if the directory is foreign. */
  function findOwn({ issue, folder, path }: WorktreeLocation, common?: string): OwnJjWorkspace | undefined {
    const { found, why, marker } = inspectJjWorkspace(root, folder, legion);
    if (found === 'foreign') throw new LegionError('workspace.foreign', why);
    if (common !== undefined && marker !== undefined && marker.common !== common)
      throw new LegionError('workspace.other_repository', `${path} is a workspace of ${marker.common}`);
    if (found === 'nothing' || marker?.state !== 'ready') return undefined;
    return { workspace: { issue, path, branch: issue }, repository: getRepository(marker.common) };
  }

  /** Like `findOwn`, for calls that run jj in the workspace. */
  function requireUsable(issue: IssueId): OwnJjWorkspace | undefined {
    const own = findOwn(resolveWorktreeLocation(root, issue));
    if (own !== undefined) requireStoreLink(own.workspace.path, own.repository.store.path);
    return own;
  }

  async function ensure(location: WorktreeLocation, folder: string): Promise<Workspace> {
    const common = await requireCommonFolder(reader, folder);
    const present = findOwn(location, common);
    if (present !== undefined) {
      requireStoreLink(present.workspace.path, present.repository.store.path);
      await snapshotWorkspace(present.repository.jj, present.workspace.path);
      return present.workspace;
    }
    const repository = getRepository(common);
    const { store, view } = repository;
    // Read before the store is created, because an empty repository cannot have workspaces.
    await view.findBase();
    return withStoreLock(repository, async (programs) => {
      const created = findOwn(location, common);
      if (created !== undefined) return created.workspace;
      const base = await syncBase(repository, programs, false);
      const { marker } = inspectJjWorkspace(root, location.folder, legion);
      await createJjWorkspace(programs.git, programs.jj, store, {
        root,
        legion,
        location,
        base,
        repository: view,
        marker,
      });
      return { issue: location.issue, path: location.path, branch: location.issue };
    });
  }

  async function listWorkspaces(): Promise<readonly Workspace[]> {
    const workspaces: Workspace[] = [];
    for (const entry of await readdir(root, { withFileTypes: true })) {
      if (!entry.isDirectory() || entry.name.startsWith('.')) continue;
      const { found, marker } = inspectJjWorkspace(root, entry.name, legion);
      if (found !== 'workspace' || marker?.state !== 'ready') continue;
      const { issue } = marker;
      workspaces.push({ issue, path: join(root, entry.name), branch: issue });
    }
    return workspaces.sort((one, other) => (one.issue < other.issue ? -1 : 1));
  }

  /** Removes workspaces that a killed process left half created or half removed. */
  async function pruneLeftovers(repository: JjRepository): Promise<readonly string[]> {
    return withStoreLock(repository, async (programs) => {
      const trash = await ensureTrash(root);
      const removed = (await readdir(trash)).map((name) => join(trash, name));
      for (const path of removed) await discardFolder(path);
      for (const name of (await readIfPresent(readdir(join(root, JJ_FOLDER, 'workspaces')))) ?? []) {
        const folder = name.replace(/\.json$/, '');
        const { marker } = inspectJjWorkspace(root, folder, legion);
        const isLeftover = marker?.state === 'creating' && marker.restore === undefined;
        if (!isLeftover || marker.common !== repository.store.common) continue;
        await discardFolder(join(root, folder));
        await programs.jj.inStore(repository.store.path, ['workspace', 'forget', marker.issue]);
        await deleteMarker(root, folder);
        removed.push(join(root, folder));
      }
      return removed;
    });
  }

  const withIssueFaults = <T>(issue: IssueId, work: () => Promise<T>) =>
    withWorkspaceFaults(`workspace of ${issue}`, work);

  /** Runs `work` on the issue's workspace. Resolves to undefined if there is none. */
  const onWorkspace = <T>(issue: IssueId, work: (own: OwnJjWorkspace) => Promise<T>) =>
    withIssueFaults(issue, async () => {
      const own = requireUsable(issue);
      return own && work(own);
    });

  return {
    kind: 'jj',
    snapshotIntervalMs: SNAPSHOT_INTERVAL_MS,
    buildWorkerEnvironment: ({ GIT_AUTHOR_NAME, GIT_AUTHOR_EMAIL }) => ({
      JJ_CONFIG: config,
      // Without a message, a jj command fails at once instead of waiting for an editor.
      JJ_EDITOR: 'false',
      JJ_USER: GIT_AUTHOR_NAME ?? identity.name,
      JJ_EMAIL: GIT_AUTHOR_EMAIL ?? identity.email,
    }),
    ensure: (issue, repository) =>
      withIssueFaults(issue, async () => ensure(resolveWorktreeLocation(root, issue), repository)),
    find: (issue) =>
      withIssueFaults(issue, async () => {
        const { folder } = resolveWorktreeLocation(root, issue);
        const { found, marker } = inspectJjWorkspace(root, folder, legion);
        if (found !== 'workspace' || marker?.state !== 'ready') return undefined;
        return { issue, path: join(root, folder), branch: issue };
      }),
    readStatus: (issue) =>
      onWorkspace(issue, async ({ workspace, repository: { jj } }) =>
        toWorkspaceStatus(await readWorkingCopy(jj, workspace.path)),
      ),
    snapshot: async (issue) => {
      await onWorkspace(issue, ({ workspace, repository: { jj } }) => snapshotWorkspace(jj, workspace.path));
    },
    bringToBase: (issue) =>
      onWorkspace(issue, ({ workspace, repository }) =>
        withStoreLock(repository, async (programs) => {
          const base = await syncBase(repository, programs, false);
          return bringJjToBase(programs.git, programs.jj, repository.store, workspace, base);
        }),
      ),
    changedAt: (issue) =>
      onWorkspace(issue, ({ workspace, repository: { jj } }) => readJjChangedAt(jj, workspace.path)),
    exportBranch: (issue) =>
      onWorkspace(issue, ({ workspace, repository }) =>
        withStoreLock(repository, async (programs) => {
          const base = await syncBase(repository, programs, false);
          await exportJjBranch(programs.jj, repository.store, workspace, base);
          return repository.store.git;
        }),
      ),
    locateChanges: (issue) =>
      onWorkspace(issue, async ({ workspace, repository }) => {
        await withStoreLock(repository, (programs) => syncBase(repository, programs, false));
        const { commit } = await readWorkingCopy(repository.jj, workspace.path);
        return { folder: repository.store.git, commit };
      }),
    list: () => withWorkspaceFaults(root, listWorkspaces),
    remove: (issue, merge) =>
      withIssueFaults(issue, async () => {
        const location = resolveWorktreeLocation(root, issue);
        const own = requireUsable(issue);
        if (own === undefined) return { removed: true };
        return withStoreLock(own.repository, async (programs) => {
          const present = requireUsable(issue);
          if (present === undefined) return { removed: true };
          const base = await syncBase(own.repository, programs, true);
          return removeJjWorkspace(programs.git, programs.jj, own.repository.store, present.workspace, {
            root,
            folder: location.folder,
            base,
            mergedAs: merge?.mergedAs,
          });
        });
      }),
    prune: (repository) =>
      withWorkspaceFaults(repository, async () =>
        pruneLeftovers(getRepository(await requireCommonFolder(reader, repository))),
      ),
  };
}
