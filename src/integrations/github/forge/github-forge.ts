/**
 * The GitHub forge: uses GitHub's APIs for pull requests, reviews and checks, and git in a local
 * clone for commits.
 */
import { join, resolve } from 'node:path';
import type { Clock } from '../../../core/model/clock.ts';
import type { EnvironmentVariables } from '../../../core/model/environment.ts';
import { type Fault, LegionError } from '../../../core/model/fault.ts';
import { createRecentCache } from '../../../git/lookup.ts';
import { createEmitter } from '../../../lib/async/emitter.ts';
import { createMutex } from '../../../lib/async/mutex.ts';
import type { Forge, ForgePullRequest } from '../../../ports/forge.ts';
import { listChangedFiles } from '../../forge-support/changed-files.ts';
import { findChangesSince } from '../../forge-support/compare.ts';
import { createFaultReporter } from '../../forge-support/errors.ts';
import { openRepository, withForgeLock } from '../../forge-support/repository.ts';
import type { GithubRole } from '../client/client.ts';
import { createAuthors, type GithubPermissions, openPermissions } from '../client/permissions.ts';
import { findChecks, findFailingCheck, listChecks, readCheckLog } from './checks.ts';
import { openClone, pushBranch } from './clone.ts';
import type { GithubForgeContext } from './context.ts';
import { closePullRequest, updateLabels, updatePullRequest } from './edit.ts';
import { merge, waitForMergeability } from './merge.ts';
import { openPullRequest, openRevert } from './open-pull-request.ts';
import { openPullRequestReader } from './read.ts';
import { listRemarks, publishComment, putComment } from './remarks.ts';
import { publishReview } from './review.ts';

export interface GithubForgeOptions
  extends Pick<
    GithubForgeContext,
    'client' | 'repo' | 'base' | 'clock' | 'issueOf' | 'isLegion' | 'identity'
  > {
  /**
   * A clone of the repository on this machine, bare or ordinary, shared by everything that works on
   * this repository.
   */
  readonly clone: string;
  /** The repository's git address without credentials: `https://github.com/acme/app.git`. */
  readonly remote: string;
  /** Returns the environment with which one git command signs in as a role. */
  readonly access: (role: GithubRole) => Promise<Readonly<Record<string, string>>>;
  /**
   * Numbers of this repository's pull requests attached to the branch's issue, if its tracker has
   * attachments.
   */
  readonly attached?: (branch: string) => readonly number[];
  /** Cached write permissions, which other users of the same GitHub server may share. */
  readonly permissions?: GithubPermissions;
  /** Returns whether to trust an account that has no write access. */
  readonly isTrusted?: (login: string) => boolean;
  /** Environment from which git gets selected variables. */
  readonly environment: EnvironmentVariables;
  /**
   * Calls the listener with the name of each branch that a webhook reports. Returns a function that
   * unsubscribes.
   */
  readonly news?: (listener: (branch: string) => void) => () => void;
  /** Called once for each skipped problem. */
  readonly onFault?: (fault: Fault) => void;
}

/**
 * Allows for fetching a large branch over a slow connection. A git command that takes longer is
 * stuck.
 */
const GIT_LIMIT_MS = 300_000;

/** The lock file is in the clone itself, which other legions on this machine share. */
const LOCK = 'legion-forge.lock';

export async function openGithubForge(options: GithubForgeOptions): Promise<Forge> {
  const { client, repo, base, clock, environment, access, remote } = options;
  const repository = await openRepository({
    environment,
    path: resolve(options.clone),
    base,
    timeoutMs: GIT_LIMIT_MS,
  });
  const listeners = createEmitter<string>();
  const closing = new AbortController();
  const context: GithubForgeContext = {
    client,
    repo,
    base,
    clock,
    issueOf: options.issueOf,
    attached: options.attached ?? (() => []),
    isLegion: options.isLegion,
    identity: options.identity,
    authors: createAuthors(
      options.permissions ?? openPermissions(client, clock),
      (login) => options.isLegion(login) || options.isTrusted?.(login) === true,
    ),
    clone: openClone({ repository, remote, access: () => access('impl'), clock }),
    jobLogs: createRecentCache(),
    reportProblem: createFaultReporter('GitHub forge', options.onFault),
    changed: (branch) => invalidate(branch),
    closing: closing.signal,
  };
  const reader = openPullRequestReader(context);
  const recheck = createMergeabilityRecheck(clock, listeners.emit, closing.signal);
  const unsubscribe = options.news?.((branch) => invalidate(branch));
  const mutex = createMutex();
  /** Texts of comments as last written, so that writing one again needs no request. */
  const written = new Map<string, string>();

  function invalidate(branch: string): void {
    for (const each of reader.forget(branch)) listeners.emit(each);
  }

  function refuseClosed(): void {
    closing.signal.throwIfAborted();
  }

  async function withFileLock<T>(work: () => Promise<T>): Promise<T> {
    refuseClosed();
    return withForgeLock(join(repository.gitDir, LOCK), clock, work);
  }

  /**
   * Serialises writes across all processes of this machine: a fact that was read before a write
   * must still be true during the write.
   */
  function withLock<T>(work: () => Promise<T>): Promise<T> {
    return mutex(() => withFileLock(work));
  }

  function runRead<T>(signal: AbortSignal, work: () => Promise<T>): Promise<T> {
    return withAbortFault(signal, async () => {
      refuseClosed();
      return work();
    });
  }

  return {
    kind: 'github',
    pullRequests: (branches, signal) =>
      runRead(signal, async () => {
        const pullRequests = await reader.read(branches, signal);
        recheck.observe(pullRequests);
        return pullRequests;
      }),
    whyUnknown: (branch) => reader.whyUnknown(branch),
    changesSince: (shas, at, signal) =>
      runRead(signal, async () => {
        const wanted = [at.headSha, at.baseSha, ...shas];
        await context.clone.fetchCommits(wanted, signal).catch(context.reportProblem); // the commits in the clone may suffice
        return findChangesSince(repository, context.clone.comparison, shas, at, signal);
      }),
    changedFiles: (at, needsText, signal) =>
      runRead(signal, async () => {
        await context.clone.fetchCommits([at.headSha, at.baseSha], signal).catch(context.reportProblem); // the commits in the clone may suffice
        return listChangedFiles(repository, context.clone.comparison, at, needsText, signal);
      }),
    checks: (sha, signal) => runRead(signal, () => listChecks(context, sha, signal)),
    checkLog: (_sha, check, signal) => runRead(signal, () => readCheckLog(context, check, signal)),
    failingCheck: (sha, signal) => runRead(signal, () => findFailingCheck(context, sha, signal)),
    findChecks: (signal) => runRead(signal, () => findChecks(context, signal)),
    remarks: (number, signal) => runRead(signal, () => listRemarks(context, number, signal)),
    subscribe(listener) {
      refuseClosed();
      return listeners.subscribe(listener);
    },
    push: (branch, workspace) => withLock(() => pushBranch(context, branch, workspace)),
    open: (branch, pullRequest) => withLock(() => openPullRequest(context, branch, pullRequest)),
    edit: (number, text) => withLock(() => updatePullRequest(context, number, text)),
    markReady: (number) => withLock(() => updatePullRequest(context, number, { draft: false })),
    label: (number, change) => withLock(() => updateLabels(context, number, change)),
    comment: (number, key, text) => withLock(() => publishComment(context, number, key, text)),
    putComment: (number, key, text) => withLock(() => putComment(context, number, key, text, written)),
    review: (number, review) => withLock(() => publishReview(context, number, review)),
    async merge(number, at) {
      refuseClosed();
      await waitForMergeability(context, number);
      return withLock(() => merge(context, number, at));
    },
    abandon: (number) => withLock(() => closePullRequest(context, number)),
    revert: (number, request) => withLock(() => openRevert(context, number, request)),
    async close() {
      if (closing.signal.aborted) return;
      closing.abort(new LegionError('forge.closed', `${repo.owner}/${repo.name}: The forge is closed`));
      unsubscribe?.();
      listeners.close();
      // Waits for all work that has already begun.
      await mutex(async () => {});
      repository.close();
    },
  };
}

/** Turns an aborted read into a coded fault. */
async function withAbortFault<T>(signal: AbortSignal, read: () => Promise<T>): Promise<T> {
  try {
    signal.throwIfAborted();
    return await read();
  } catch (error) {
    if (error instanceof LegionError || !signal.aborted) throw error;
    throw new LegionError('forge.unavailable', 'The read was aborted', { cause: error });
  }
}

/**
 * GitHub usually computes mergeability within seconds. Rechecks after 2, 4, 8, 16 and 32 s. After
 * that, only regular polls read it.
 */
const INITIAL_WAIT_MS = 2_000;
const MAX_RECHECKS = 5;

export interface MergeabilityRecheck {
  /** Call after each read. */
  observe(pullRequests: ReadonlyMap<string, ForgePullRequest | 'unknown'>): void;
}

/**
 * Emits a hint after a delay for a branch whose mergeability GitHub is still computing, because no
 * webhook reports the result.
 */
export function createMergeabilityRecheck(
  clock: Clock,
  emit: (branch: string) => void,
  closing: AbortSignal,
): MergeabilityRecheck {
  const waiting = new Map<string, { tries: number; isAsleep: boolean }>();

  async function wait(branch: string): Promise<void> {
    const state = waiting.get(branch) ?? { tries: 0, isAsleep: false };
    if (state.isAsleep || state.tries >= MAX_RECHECKS) return;
    waiting.set(branch, state);
    state.isAsleep = true;
    try {
      await clock.sleep(INITIAL_WAIT_MS * 2 ** state.tries, closing);
      emit(branch);
    } catch {
      // The forge was closed.
    } finally {
      state.isAsleep = false;
      state.tries += 1;
    }
  }

  return {
    observe(pullRequests) {
      for (const [branch, each] of pullRequests) {
        if (each === 'unknown') continue;
        if (each.mergeable === 'unknown') void wait(branch);
        else waiting.delete(branch);
      }
    },
  };
}
