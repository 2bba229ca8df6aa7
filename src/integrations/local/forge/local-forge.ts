/**
 * A forge without a service: branches of a local git repository, with pull request records stored
 * beside it.
 */
import { existsSync, mkdirSync } from 'node:fs';
import { readdir, stat, unlink } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import type { Clock } from '../../../core/model/clock.ts';
import type { EnvironmentVariables } from '../../../core/model/environment.ts';
import { type Fault, LegionError } from '../../../core/model/fault.ts';
import { createEmitter } from '../../../lib/async/emitter.ts';
import { UNFINISHED_SUFFIX } from '../../../lib/fs/atomic-write.ts';
import type { CheckoutObstacle, Forge } from '../../../ports/forge.ts';
import { listChangedFiles } from '../../forge-support/changed-files.ts';
import { createComparison, findChangesSince } from '../../forge-support/compare.ts';
import { createFaultReporter, toUnavailableFault } from '../../forge-support/errors.ts';
import {
  type GitIdentity,
  type GitRepository,
  openRepository,
  toBranchRef,
  toIdentityEnvironment,
  withForgeLock,
} from '../../forge-support/repository.ts';
import { createCheckouts } from './checkout.ts';
import { type CiOptions, createCiResults, createCiRunner, listChecks, readCheckLog } from './ci.ts';
import type { LocalForgeContext } from './context.ts';
import { merge, recoverMerges } from './merge.ts';
import { findObstacles } from './obstacles.ts';
import { pushBranch } from './push.ts';
import { findPullRequest, readPullRequests, toRemarks } from './read.ts';
import { createPullRequestRecords } from './records.ts';
import * as write from './write.ts';
import { openRevert } from './write.ts';

export interface LocalForgeOptions {
  /** A bare repository, or the directory of an ordinary one. */
  readonly repository: string;
  /** The branch that pull requests are merged into. */
  readonly base: string;
  /** Directory for records, CI results and checkouts. Each repository needs its own. */
  readonly state: string;
  readonly identity: GitIdentity;
  readonly clock: Clock;
  /** Environment from which git gets selected variables. */
  readonly environment: EnvironmentVariables;
  /** Absent if the repository has no CI. */
  readonly ci?: CiOptions;
  /** Called once for each skipped problem. */
  readonly onFault?: (fault: Fault) => void;
}

/**
 * The longest legitimate call fetches a large branch from a local disk. A git command that takes
 * longer is stuck.
 */
const GIT_LIMIT_MS = 60_000;

/** The lock file is in the repository itself, which other state directories and legions share. */
const LOCK = 'legion-forge.lock';

export async function openLocalForge(options: LocalForgeOptions): Promise<Forge> {
  const { clock } = options;
  const folders = makeFolders(resolve(options.state));
  const repository = await openWithBase(options);
  const reportProblem = createFaultReporter('local forge', options.onFault);
  const changes = createEmitter<string>();
  const checkouts = createCheckouts(repository, folders.checkouts);
  const context: LocalForgeContext = {
    repository,
    clock,
    reportProblem,
    records: createPullRequestRecords(folders.pullRequests),
    comparison: createComparison(repository),
    identity: toIdentityEnvironment(options.identity),
    ci: createCiRunner({
      options: options.ci,
      results: createCiResults(folders.ci),
      checkouts,
      clock,
      onChange: changes.emit,
      reportProblem,
    }),
  };
  let open = true;

  /**
   * Serialises writes across all processes: a fact that was read before a write must still be true
   * during the write.
   */
  async function withLock<T>(work: () => Promise<T>): Promise<T> {
    refuseClosed();
    return withForgeLock(join(repository.gitDir, LOCK), clock, work);
  }

  function refuseClosed(): void {
    if (!open) throw new LegionError('forge.closed', `${options.repository}: The forge is closed`);
  }

  await withLock(async () => {
    await removeStaleFiles(folders.pullRequests, folders.ci, clock.now());
    await checkouts.sweep();
    for (const fault of (await context.records.all()).broken) reportProblem(fault);
    await recoverMerges(context);
  }).catch((error: unknown) => {
    repository.close();
    throw error;
  });

  return {
    kind: 'local',
    async pullRequests(branches, signal) {
      refuseClosed();
      return readPullRequests(context, branches, signal);
    },
    async changesSince(shas, at, signal) {
      refuseClosed();
      return findChangesSince(repository, context.comparison, shas, at, signal);
    },
    async changedFiles(at, needsText, signal) {
      refuseClosed();
      return listChangedFiles(repository, context.comparison, at, needsText, signal);
    },
    async checks(sha) {
      refuseClosed();
      return listChecks(context.ci, sha);
    },
    async checkLog(sha) {
      refuseClosed();
      return readCheckLog(context.ci, sha);
    },
    async failingCheck(sha) {
      refuseClosed();
      const result = await context.ci.known(sha);
      const isShown = result?.verdict === 'failed' || result?.timedOut === true;
      return isShown ? { name: result.name, logTail: result.logTail } : undefined;
    },
    async findChecks() {
      refuseClosed();
      return options.ci !== undefined && (options.ci.isConfigured?.() ?? true) ? 'some' : 'none';
    },
    async remarks(number) {
      refuseClosed();
      return toRemarks(await context.records.byNumber(number));
    },
    async obstacles(branch, signal) {
      refuseClosed();
      return findMergeObstacles(context, branch, signal);
    },
    async findPullRequest(number, signal) {
      refuseClosed();
      return findPullRequest(context, number, signal);
    },
    subscribe(listener) {
      refuseClosed();
      return changes.subscribe(listener);
    },
    push: (branch, workspace) => withLock(() => pushBranch(context, branch, workspace)),
    open: (branch, pullRequest) => withLock(() => write.openPullRequest(context, branch, pullRequest)),
    edit: (number, text) => withLock(() => write.updatePullRequest(context, number, text)),
    markReady: (number) => withLock(() => write.updatePullRequest(context, number, { draft: false })),
    label: (number, change) => withLock(() => write.updateLabels(context, number, change)),
    comment: (number, key, text) => withLock(() => write.addComment(context, number, key, text)),
    putComment: (number, key, text) => withLock(() => write.putComment(context, number, key, text)),
    review: (number, review) => withLock(() => write.addReview(context, number, review)),
    merge: (number, at) => withLock(() => merge(context, number, at)),
    abandon: (number) => withLock(() => write.closePullRequest(context, number)),
    revert: (number, request) => withLock(() => openRevert(context, number, request)),
    async close() {
      open = false;
      changes.close();
      await context.ci.close();
      repository.close();
    },
  };
}

async function openWithBase({
  environment,
  repository: folder,
  base,
}: LocalForgeOptions): Promise<GitRepository> {
  const path = resolve(folder);
  // Opened with the user's personal git settings, because a merge updates work trees that people
  // use.
  const repository = await openRepository({
    environment,
    personal: true,
    path,
    base,
    timeoutMs: GIT_LIMIT_MS,
  });
  const head = await repository.commit(toBranchRef(base)).catch((error: unknown) => {
    repository.close();
    throw error;
  });
  if (head !== undefined) return repository;
  repository.close();
  throw new LegionError('forge.base_missing', `${path} has no branch ${base}`);
}

function makeFolders(state: string) {
  const folders = {
    pullRequests: join(state, 'pull-requests'),
    ci: join(state, 'ci'),
    checkouts: join(state, 'checkouts'),
  };
  for (const folder of Object.values(folders)) {
    try {
      makeFolder(folder);
    } catch (error) {
      throw toUnavailableFault(folder, error);
    }
  }
  return folders;
}

/**
 * Creates directories one by one, because Node's recursive `mkdir` never ends if a file system
 * returns ENOENT.
 */
function makeFolder(path: string): void {
  if (existsSync(path)) return;
  makeFolder(dirname(path));
  try {
    mkdirSync(path, { mode: 0o700 });
  } catch (error) {
    // Another process may create the same directory first.
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
}

/**
 * Finds obstacles to merging a branch before a worker is sent to merge it. Returns an empty list if
 * the branch is gone or has conflicts, because other checks report that.
 */
async function findMergeObstacles(
  context: LocalForgeContext,
  branch: string,
  signal: AbortSignal,
): Promise<readonly CheckoutObstacle[]> {
  const { repository, comparison } = context;
  const heads = await repository.heads([branch]);
  const head = heads.get(branch);
  const base = heads.get(repository.base);
  if (head === undefined || base === undefined) return [];
  const merged = await comparison.merge(base, head, signal);
  return 'tree' in merged ? findObstacles(context, base, merged.tree) : [];
}

/** A write takes milliseconds, so an unfinished file older than this is abandoned. */
const UNFINISHED_MS = 60 * 60_000;

/**
 * How long CI results are kept. A pull request is rarely open for longer; if one is, its CI runs
 * again.
 */
const KEEP_CI_MS = 90 * 24 * 60 * 60_000;

/** Removes crash leftovers and outdated CI results from the state directory. */
async function removeStaleFiles(recordFolder: string, ciFolder: string, now: number): Promise<void> {
  await removeOld(recordFolder, UNFINISHED_SUFFIX, now - UNFINISHED_MS);
  await removeOld(ciFolder, UNFINISHED_SUFFIX, now - UNFINISHED_MS);
  await removeOld(ciFolder, '.json', now - KEEP_CI_MS);
}

async function removeOld(folder: string, ending: string, before: number): Promise<void> {
  for (const name of await readdir(folder)) {
    if (!name.endsWith(ending)) continue;
    const path = join(folder, name);
    const stats = await stat(path).catch(() => undefined);
    if (stats !== undefined && stats.mtimeMs < before) await unlink(path).catch(() => {});
  }
}
