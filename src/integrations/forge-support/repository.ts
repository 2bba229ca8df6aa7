/**
 * A local git repository, bare or ordinary: reads and moves its references, and locks its records
 * against other processes.
 */
import { realpath } from 'node:fs/promises';
import type { Clock } from '../../core/model/clock.ts';
import { LegionError } from '../../core/model/fault.ts';
import type { ChangedFile, MergeableStatus, PullRequest } from '../../core/model/pull-request.ts';
import { isRefusal } from '../../git/errors.ts';
import { findCommit, openLookup } from '../../git/lookup.ts';
import {
  createGitRunner,
  type GitAnswer,
  type GitCall,
  type GitEnvironmentOptions,
  type GitRunner,
} from '../../git/runner.ts';
import { createWorkTreeFinder, LIST_WORK_TREES } from '../../git/work-trees.ts';
import { acquireFileLock } from '../../lib/process/file-lock.ts';
import { toUnavailableFault } from './errors.ts';

export interface GitRepository {
  /** The git directory that all work trees of the repository share. */
  readonly gitDir: string;
  readonly objectFormat: string;
  readonly base: string;
  /** Runs git on the repository as a whole, outside any work tree. */
  run(args: readonly string[], call?: GitCall): Promise<GitAnswer>;
  /** Runs git in a directory: a work tree, a workspace or a checkout. */
  runIn(folder: string, args: readonly string[], call?: GitCall): Promise<GitAnswer>;
  /** Returns the commits of the base and of the branches that exist. */
  heads(branches: readonly string[]): Promise<ReadonlyMap<string, string>>;
  /** Resolves a reference or SHA to its commit. */
  commit(name: string): Promise<string | undefined>;
  /** Resolves each name to its object, or to undefined if the name has none. */
  objects(names: readonly string[]): Promise<readonly (string | undefined)[]>;
  /**
   * Lists the work trees that have the branch checked out, except those whose directory is gone.
   */
  workTreesOn(branch: string): Promise<readonly string[]>;
  isAncestor(ancestor: string, descendant: string, signal?: AbortSignal): Promise<boolean>;
  close(): void;
  /**
   * Applies all changes or none. Returns false if a reference has a different value than expected.
   */
  transact(changes: readonly RefChange[]): Promise<boolean>;
}

type RefChange =
  | { readonly ref: string; readonly to: string; readonly from: string | undefined }
  | { readonly ref: string; readonly mustBe: string }
  | { readonly ref: string; readonly delete: true };

export const toBranchRef = (branch: string): string => `refs/heads/${branch}`;

export interface RepositoryOptions extends GitEnvironmentOptions {
  readonly path: string;
  readonly base: string;
  readonly timeoutMs: number;
}

export async function openRepository(options: RepositoryOptions): Promise<GitRepository> {
  const { environment, personal, path, base, timeoutMs } = options;
  const gitOptions = { environment, personal };
  const git = createGitRunner({ ...gitOptions, timeoutMs });
  const { gitDir, objectFormat } = await inspectRepository(git, path);
  const lookup = openLookup(gitOptions, gitDir);
  const run: GitRepository['run'] = (args, call) => git.answer('/', [`--git-dir=${gitDir}`, ...args], call);
  const findWorkTrees = createWorkTreeFinder(gitDir, async () => (await run(LIST_WORK_TREES)).out);
  return {
    gitDir,
    objectFormat,
    base,
    close: lookup.close,
    run,
    runIn: git.answer,
    async heads(branches) {
      const names = [...new Set([base, ...branches])];
      const commits = await lookup.objects(names.map((name) => `${toBranchRef(name)}^{commit}`));
      return new Map(names.flatMap((name, index) => toHeadEntries(name, commits[index])));
    },
    commit: (name) => findCommit(lookup, name),
    objects: lookup.objects,
    async workTreesOn(branch) {
      const workTrees = await findWorkTrees(toBranchRef(branch));
      return workTrees.filter(({ isGone }) => !isGone).map(({ folder }) => folder);
    },
    async isAncestor(ancestor, descendant, signal) {
      const args = ['merge-base', '--is-ancestor', ancestor, descendant];
      return (await run(args, { signal, answers: [1] })).code === 0;
    },
    async transact(changes) {
      const lines = ['start', ...changes.map(formatTransactionLine), 'prepare', 'commit', ''];
      const { code } = await run(['update-ref', '--stdin'], { input: lines.join('\n'), answers: [128] });
      return code === 0;
    },
  };
}

/**
 * Uses the real path, because a work tree may refer to the same directory through symbolic links.
 */
async function inspectRepository(
  git: GitRunner,
  path: string,
): Promise<Pick<GitRepository, 'gitDir' | 'objectFormat'>> {
  try {
    const wanted = ['--show-object-format', '--path-format=absolute', '--git-common-dir'];
    const output = await git.run(path, ['rev-parse', ...wanted]);
    const [objectFormat = '', ...folder] = output.replace(/\n$/, '').split('\n');
    return { objectFormat, gitDir: await realpath(folder.join('\n')) };
  } catch (error) {
    if (error instanceof LegionError && !isRefusal(error)) throw error;
    const why = error instanceof Error ? error.message : String(error);
    throw new LegionError('forge.repository_missing', `${path}: ${why}`, { cause: error });
  }
}

function toHeadEntries(name: string, sha: string | undefined): [string, string][] {
  return sha === undefined ? [] : [[name, sha]];
}

/** Uses "create" for a reference that must not exist yet. */
function formatTransactionLine(change: RefChange): string {
  if ('mustBe' in change) return `verify ${change.ref} ${change.mustBe}`;
  if ('delete' in change) return `delete ${change.ref}`;
  return change.from === undefined
    ? `create ${change.ref} ${change.to}`
    : `update ${change.ref} ${change.to} ${change.from}`;
}

/**
 * A merge takes well under a second, and a local fetch a few seconds. A process that holds the lock
 * for longer than this is stuck.
 */
const LOCK_WAIT_MS = 30_000;

/** Poll interval: short compared with a merge, but long compared with one check of the lock. */
const LOCK_POLL_MS = 20;

/**
 * Locks a repository's records against other processes while they change. Rejects with `forge.busy`
 * and the holder's name after 30 s. Always releases the lock after the work.
 */
export async function withForgeLock<T>(path: string, clock: Clock, work: () => Promise<T>): Promise<T> {
  const rethrow = (error: unknown) => {
    throw error instanceof LegionError ? error : toUnavailableFault(path, error);
  };
  const lock = await acquireFileLock(path, {
    clock,
    timeoutMs: LOCK_WAIT_MS,
    pollMs: LOCK_POLL_MS,
    busy: (message) => new LegionError('forge.busy', message),
  }).catch(rethrow);
  try {
    return await work();
  } finally {
    await lock.release().catch(rethrow);
  }
}

export interface GitIdentity {
  readonly name: string;
  readonly email: string;
}

/** Returns an author and committer identity as git's environment variables. */
export function toIdentityEnvironment({ name, email }: GitIdentity): Readonly<Record<string, string>> {
  return {
    GIT_AUTHOR_NAME: name,
    GIT_AUTHOR_EMAIL: email,
    GIT_COMMITTER_NAME: name,
    GIT_COMMITTER_EMAIL: email,
  };
}

export type DiffSize = Pick<PullRequest, 'additions' | 'deletions' | 'changedFiles'>;

/** Maps each path to its added plus removed lines. */
export type DiffLines = ReadonlyMap<string, ChangedFile['lines']>;

export type DiffEntries = ReadonlyMap<string, string>;

export type InMemoryMergeResult = { readonly tree: string } | { readonly conflicts: readonly string[] };

export interface CommitComparison {
  /** Counts a renamed file as removed and added, so that both paths are listed. */
  size(from: string, to: string, signal?: AbortSignal): Promise<DiffSize>;
  /**
   * Maps each path that differs to its modes and contents on both sides. Equal entries mean the
   * same change.
   */
  entries(from: string, to: string, signal?: AbortSignal): Promise<DiffEntries>;
  lines(from: string, to: string, signal?: AbortSignal): Promise<DiffLines>;
  /** Returns the common ancestor, or undefined if the commits share no history. */
  mergeBase(base: string, head: string, signal?: AbortSignal): Promise<string | undefined>;
  /** Returns the tree of the merge, or the conflicting paths. */
  merge(base: string, head: string, signal?: AbortSignal): Promise<InMemoryMergeResult>;
  /** Returns `unknown` if git is too old or fails. */
  mergeable(base: string, head: string, signal?: AbortSignal): Promise<MergeableStatus>;
}
