/** Workspaces as worktrees of git: one folder per issue below a root, linked to the repository it belongs to. */
import { mkdir, readdir, realpath } from 'node:fs/promises';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { LegionError } from '../../core/model/fault.ts';
import type { Environment } from '../../domain/environment.ts';
import type { ObjectLookup } from '../../git/lookup.ts';
import { type Git, gitRunner } from '../../git/runner.ts';
import { checkOutSubmodules } from '../../git/submodules.ts';
import { createKeyedMutex } from '../../lib/async/mutex.ts';
import { systemClock } from '../../lib/async/system-clock.ts';
import { acquireFileLock } from '../../lib/process/file-lock.ts';
import type { Standing, Workspace, Workspaces } from '../workspace.ts';
import type { BaseOptions } from './base.ts';
import { bringToBase, compareWithBase } from './bring-to-base.ts';
import { changedAt } from './changed-at.ts';
import { create } from './create.ts';
import { translated } from './faults.ts';
import { clearDeadLocks } from './git-lock.ts';
import { type Found, inspect, type Ours } from './inspect.ts';
import { type Place, placeOf } from './place.ts';
import { remove } from './remove.ts';
import { commonFolder, type RepositoryView, viewRepository } from './repository.ts';
import { standingOf } from './standing.ts';
import { sweep } from './sweep.ts';

export interface GitWorktreeOptions {
  /** Where the work of a repository begins and returns to; by the real path of its common folder. */
  readonly baseFor?: ((common: string) => BaseOptions) | undefined;
  /** A git that is kept running for the repository; where there is none, each question is a process. */
  readonly lookupFor?: ((common: string) => ObjectLookup | undefined) | undefined;
  /** The folder all workspaces lie in; it is made where it does not exist. */
  readonly root: string;
  /** Goes into every marker: a workspace of another legion is never touched. */
  readonly legion: string;
  readonly environment: Environment;
  readonly gitTimeoutMs?: number;
  readonly lockTimeoutMs?: number;
}

/** Below the repository's common folder, so that every legion that uses the repository meets it. */
const LOCK_FOLDER = 'legion-lock';
/** A creation is a checkout; ten large ones in a row stay below this. Whoever waits longer waits for somebody stuck. */
const LOCK_TIMEOUT_MS = 600_000;
/** Short against a creation (about 50 ms for a small repository), long against a look (below 1 ms). */
const LOCK_POLL_MS = 10;
/** From a report to the start of the next worker: shorter than a worker takes to do anything after its report. */
const SEEN_MS = 100;
/** A holder that cannot be looked at (another machine, no proc file system) has certainly ended: git is bounded by minutes. */
const UNKNOWN_HOLDER_MS = 3_600_000;

export async function openGitWorktrees(options: GitWorktreeOptions): Promise<Workspaces> {
  const { legion, environment, gitTimeoutMs: timeoutMs, lockTimeoutMs = LOCK_TIMEOUT_MS } = options;
  const { baseFor = (): BaseOptions => ({}), lookupFor = () => undefined } = options;
  const root = await translated(options.root, async () => {
    await mkdir(options.root, { recursive: true, mode: 0o700 });
    return realpath(options.root);
  });
  const turn = createKeyedMutex();
  const looking = gitRunner({ environment, timeoutMs });

  /** Repositories that were swept whole, and where nothing of ours has failed since. */
  const clean = new Set<string>();

  /** Asked of git once: a repository that moves its own folder while it is in use has other troubles. */
  const commons = new Map<string, string>();
  async function commonOf(repository: string): Promise<string> {
    const common = commons.get(repository) ?? (await commonFolder(looking, repository));
    commons.set(repository, common);
    return common;
  }

  const views = new Map<string, RepositoryView>();
  function viewOf(common: string): RepositoryView {
    const known = views.get(common);
    if (known !== undefined) return known;
    const view = viewRepository(looking, { ...baseFor(common), common, lookup: lookupFor(common) });
    views.set(common, view);
    return view;
  }

  async function withLock<T>(folder: string, work: (keepOpen: number) => Promise<T>): Promise<T> {
    await mkdir(folder, { recursive: true, mode: 0o700 });
    const lock = await acquireFileLock(join(folder, 'held'), {
      clock: systemClock,
      timeoutMs: lockTimeoutMs,
      pollMs: LOCK_POLL_MS,
      unknownHolderMs: UNKNOWN_HOLDER_MS,
      busy: (message) => new LegionError('workspace.busy', message),
    });
    try {
      return await work(lock.fd);
    } finally {
      await lock.release();
    }
  }

  /** Everything that changes the repository happens in here, with what was left behind cleared away before. */
  function changing<T>(
    common: string,
    folder: string | undefined,
    work: (git: Git, swept: readonly string[]) => Promise<T>,
  ): Promise<T> {
    return turn(common, () =>
      withLock(join(common, LOCK_FOLDER), async (keepOpen) => {
        const swept = await sweep(root, common, clean.delete(common) ? folder : undefined);
        const result = await work(gitRunner({ environment, timeoutMs, keepOpen }), swept);
        clean.add(common);
        return result;
      }),
    );
  }

  const look = (folder: string) => inspect(root, folder, legion);

  /** A report is judged by the state of its workspace, and the next worker starts in it a moment later. */
  const seen = new Map<string, { readonly standing: Standing; readonly at: number }>();
  function takeSeen(folder: string): Standing | undefined {
    const last = seen.get(folder);
    seen.delete(folder);
    return last !== undefined && performance.now() - last.at < SEEN_MS ? last.standing : undefined;
  }

  /** Outside of the lock: a submodule comes over the network, and others need not wait for it. */
  async function ensure(place: Place, repository: string): Promise<Workspace> {
    const common = await commonOf(repository);
    const workspace = await ensureWorktree(place, common);
    await checkOutSubmodules(looking, { folder: workspace.path, repository: common });
    return workspace;
  }

  async function ensureWorktree(place: Place, common: string): Promise<Workspace> {
    const found = oursIn(look(place.folder), common);
    if (found?.linked === true) {
      await clearDeadLocks(found);
      return found.workspace;
    }
    return changing(common, place.folder, async (git) => {
      const present = oursIn(look(place.folder), common);
      if (present !== undefined) return present.workspace;
      await create(git, viewOf(common), { legion, root, place });
      return { issue: place.issue, path: place.path, branch: place.issue };
    });
  }

  async function list(): Promise<readonly Workspace[]> {
    const workspaces: Workspace[] = [];
    for (const entry of await readdir(root, { withFileTypes: true })) {
      if (!entry.isDirectory() || entry.name.startsWith('.')) continue;
      const found = look(entry.name);
      if (found.kind === 'ours') workspaces.push(found.ours.workspace);
      await setImmediate(); // a long list must not keep everybody else from running
    }
    return workspaces.sort((one, other) => (one.issue < other.issue ? -1 : 1));
  }

  return {
    kind: 'git-worktree',
    ensure: (issue, repository) =>
      translated(`workspace of ${issue}`, async () => ensure(placeOf(root, issue), repository)),
    find: (issue) =>
      translated(`workspace of ${issue}`, async () => {
        const found = look(placeOf(root, issue).folder);
        return found.kind === 'ours' ? found.ours.workspace : undefined;
      }),
    standing: (issue) =>
      translated(`workspace of ${issue}`, async () => {
        const { folder, path } = placeOf(root, issue);
        if (oursIn(look(folder)) === undefined) return undefined;
        const at = performance.now();
        const standing = await standingOf(looking, path);
        seen.set(folder, { standing, at });
        return standing;
      }),
    bringToBase: (issue) =>
      translated(`workspace of ${issue}`, async () => {
        const { folder } = placeOf(root, issue);
        const found = oursIn(look(folder));
        if (found === undefined) return undefined;
        const view = viewOf(found.common);
        const { standing, moveTo } = await compareWithBase(looking, view, found, takeSeen(folder));
        if (moveTo === undefined) return standing;
        return changing(found.common, folder, async (git) => {
          const present = oursIn(look(folder));
          return present && bringToBase(git, view, present);
        });
      }),
    changedAt: (issue) =>
      translated(`workspace of ${issue}`, async () => {
        const { folder, path } = placeOf(root, issue);
        return oursIn(look(folder)) === undefined ? undefined : changedAt(looking, path);
      }),
    list: () => translated(root, list),
    remove: (issue, merge) =>
      translated(`workspace of ${issue}`, async () => {
        const { folder } = placeOf(root, issue);
        seen.delete(folder);
        const found = oursIn(look(folder));
        if (found === undefined) return { removed: true };
        return changing(found.common, folder, async (git) => {
          const present = oursIn(look(folder));
          if (present === undefined) return { removed: true };
          const { remote } = baseFor(found.common);
          return remove(git, viewOf(found.common), present, { root, remote, mergedAs: merge?.mergedAs });
        });
      }),
    prune: (repository) =>
      translated(repository, async () =>
        changing(await commonOf(repository), undefined, async (_git, swept) => swept),
      ),
  };
}

/** Nothing where there is nothing; what is not ours, or not of this repository, is a fault. */
function oursIn(found: Found, common?: string): Ours | undefined {
  if (found.kind === 'nothing') return undefined;
  if (found.kind === 'foreign') throw new LegionError('workspace.foreign', found.why);
  if (common !== undefined && found.ours.common !== common) {
    const { workspace } = found.ours;
    throw new LegionError(
      'workspace.other_repository',
      `${workspace.path} is a worktree of ${found.ours.common}`,
    );
  }
  return found.ours;
}
