/**
 * Locates a repository's code on this machine: an existing directory or Legion's own clone of a
 * GitHub repository.
 */

import { existsSync, mkdirSync } from 'node:fs';
import { basename, join } from 'node:path';
import { parseRepositoryName, type RepositoryEntry } from '../../config/legion/schema.ts';
import { expandHome, type LegionPaths } from '../../config/paths.ts';
import { DEMO_MARK, type EnvironmentVariables } from '../../core/model/environment.ts';
import { LegionError, quoteText } from '../../core/model/fault.ts';
import { type GitLookup, openLookup } from '../../git/lookup.ts';
import { createGitRunner, type GitRunner } from '../../git/runner.ts';
import { unwrap } from '../../lib/result.ts';
import {
  type BaseOptions,
  findBaseBranch,
  requireCommonFolder,
} from '../../workspaces/git-worktree/repository.ts';

export interface RepositorySource {
  readonly name: string;
  readonly path: string;
  /** Real path of the git directory that all worktrees share. */
  readonly common: string;
  readonly base: string;
  readonly ref: string;
  /** Options for finding the base branch when a workspace is created. */
  readonly baseOptions: BaseOptions;
  readonly git: GitRunner;
  readonly lookup: GitLookup;
  /**
   * True if the repository was marked as a demo when it was created. Scripted agents' work may be
   * merged into it.
   */
  readonly isDemo: boolean;
  /**
   * Fetches from the forge. Does nothing if this directory is itself the local forge's repository.
   */
  fetchLatest(signal?: AbortSignal): Promise<void>;
}

/**
 * Opens an existing directory. Uses the directory of `legion.yaml` if `repos` is empty and `entry`
 * is undefined.
 */
export async function openFolderSource(
  entry: RepositoryEntry | undefined,
  folder: string,
  environment: EnvironmentVariables,
): Promise<RepositorySource> {
  const path = entry?.path === undefined ? folder : resolveHomePath(entry.path, environment);
  const baseOptions = { base: entry?.base, remote: { none: true } } as const;
  const name = entry?.repo ?? basename(path);
  return openRepositorySource({ name, path, baseOptions, environment, fetchLatest: async () => undefined });
}

async function openRepositorySource(
  options: Pick<RepositorySource, 'name' | 'path' | 'baseOptions' | 'fetchLatest'> & {
    readonly environment: EnvironmentVariables;
  },
): Promise<RepositorySource> {
  const { environment, path, baseOptions, name, fetchLatest: fetchAgain } = options;
  const git = createGitRunner({ environment });
  const common = await withMissingRepositoryFault(() => requireCommonFolder(git, path));
  const { name: base, ref } = await findBaseBranch(git, common, baseOptions);
  const isDemo = await isDemoRepository(git, common);
  const lookup = openLookup({ environment }, common);
  return { name, path, common, base, ref, baseOptions, git, lookup, isDemo, fetchLatest: fetchAgain };
}

/**
 * Reads only the repository's own git configuration, so that a mistake in the user's global
 * configuration cannot mark every repository as a demo.
 */
async function isDemoRepository(git: GitRunner, common: string): Promise<boolean> {
  const mark = await git.ask(common, ['config', '--local', '--type=bool', '--get', DEMO_MARK]);
  return mark?.trim() === 'true';
}

function resolveHomePath(path: string, environment: EnvironmentVariables): string {
  return unwrap(expandHome(path, environment));
}

async function withMissingRepositoryFault<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof LegionError && error.code === 'workspace.not_a_repository')
      throw new LegionError('repository.missing', error.message, { cause: error });
    throw error;
  }
}

/**
 * Long enough for the first fetch of a very large repository over a slow connection. Later fetches
 * are incremental.
 */
const FETCH_LIMIT_MS = 30 * 60_000;

/**
 * Maps GitHub's branches to remote-tracking refs, so that they do not collide with Legion's own
 * issue branches.
 */
const FETCH_REFSPEC = '+refs/heads/*:refs/remotes/origin/*';

/**
 * Git aborts a transfer that stays below this many bytes per second for this many seconds. Even a
 * slow but working connection is faster.
 */
const LOW_SPEED_LIMIT_BYTES = '1000';
const LOW_SPEED_TIME_SECONDS = '60';

export interface CloneOptions {
  readonly paths: LegionPaths;
  /** GitHub's base URL for web and git, such as `https://github.com`. */
  readonly web: string;
  readonly environment: EnvironmentVariables;
  /** Returns the environment variables that authenticate git. */
  readonly access: () => Promise<Readonly<Record<string, string>>>;
}

/**
 * Returns the repository of the directory that contains `legion.yaml`. Used if `legion.yaml` lists
 * no `repos`.
 */
export async function requireEnclosingRepository(
  folder: string,
  web: string,
  environment: EnvironmentVariables,
): Promise<RepositoryEntry> {
  const git = createGitRunner({ environment });
  const asked = git.ask(folder, ['config', '--get', 'remote.origin.url']);
  const { host, repo } = parseRemoteUrl((await asked.catch(() => undefined))?.trim() ?? '');
  if (host === new URL(web).host && repo !== undefined) return { repo };
  const where =
    host === undefined ? 'has no origin remote on a server' : `has its origin at ${quoteText(host)}`;
  throw new LegionError(
    'repository.missing',
    `repos is empty, and ${folder} ${where}. Expected an origin at ${web}.`,
  );
}

/**
 * Matches `https://host/owner/name.git`, `ssh://git@host/owner/name` and `git@host:owner/name`. The
 * text before the `@` is not captured, because it may be a secret.
 */
const REMOTE = /^(?:[a-z+]+:\/\/)?(?:[^@/]*@)?([^:/@]+(?::\d+(?=\/))?)[:/]([^/:@]+\/[^/:@]+?)(?:\.git)?\/?$/i;

function parseRemoteUrl(url: string): {
  readonly host?: string | undefined;
  readonly repo?: string | undefined;
} {
  const [, host, repo] = REMOTE.exec(url) ?? [];
  return { host, repo };
}

/**
 * Opens Legion's own clone. Rejects if there is no clone yet and GitHub does not respond. With an
 * existing clone, the daemon can start without GitHub.
 */
export async function openCloneSource(
  entry: RepositoryEntry,
  options: CloneOptions,
): Promise<RepositorySource> {
  const { environment, web, access } = options;
  const { owner, name } = parseRepositoryName(entry.repo);
  const url = `${web}/${owner}/${name}.git`;
  const git = createGitRunner({ environment, timeoutMs: FETCH_LIMIT_MS });
  const path =
    entry.path === undefined
      ? await ensureOwnClone(git, options.paths.clone(new URL(web).host, owner, name), url)
      : await requireMatchingRemote(git, resolveHomePath(entry.path, environment), owner, name);

  async function fetch(signal?: AbortSignal): Promise<void> {
    const env = await access();
    await git.answer(path, ['fetch', '--quiet', '--prune', '--no-tags', 'origin', FETCH_REFSPEC], {
      env,
      signal,
    });
    // GitHub's default branch may change, so it is read again. A failed read is not an error.
    if (entry.base === undefined)
      await git.answer(path, ['remote', 'set-head', 'origin', '--auto'], { env, signal, answers: [1] });
  }

  /**
   * Combines the fetches of workers that start at the same time: all callers that are waiting for
   * the next fetch share it.
   */
  let next: Promise<void> | undefined;
  let running: Promise<unknown> = Promise.resolve();
  function fetchAgain(): Promise<void> {
    next ??= running.then(() => {
      const begun = fetch();
      next = undefined;
      running = begun.catch(() => undefined);
      return begun;
    });
    return next;
  }

  const base = entry.base === undefined ? 'HEAD' : entry.base;
  const known = await git.ask(path, ['rev-parse', '--verify', '--quiet', `refs/remotes/origin/${base}`]);
  if (known === undefined) await fetchAgain();
  const baseOptions = { base: entry.base, remote: 'origin' };
  return openRepositorySource({
    name: `${owner}/${name}`,
    path,
    baseOptions,
    environment,
    fetchLatest: fetchAgain,
  });
}

/**
 * Creates a bare repository, because each issue has its own worktree. If an earlier setup was
 * killed halfway, runs the setup again.
 */
async function ensureOwnClone(git: GitRunner, path: string, url: string): Promise<string> {
  if (!existsSync(join(path, 'HEAD'))) {
    mkdirSync(path, { recursive: true, mode: 0o700 });
    await git.run(path, ['init', '--quiet', '--bare', '.']);
  }
  await git.run(path, ['config', 'remote.origin.url', url]);
  await git.run(path, ['config', 'remote.origin.fetch', FETCH_REFSPEC]);
  // Aborts the fetch on a dead connection instead of waiting for the full time limit of a fetch.
  await git.run(path, ['config', 'http.lowSpeedLimit', LOW_SPEED_LIMIT_BYTES]);
  await git.run(path, ['config', 'http.lowSpeedTime', LOW_SPEED_TIME_SECONDS]);
  return path;
}

/** Refuses a checkout of another repository, which would mix the code of two projects. */
async function requireMatchingRemote(
  git: GitRunner,
  path: string,
  owner: string,
  name: string,
): Promise<string> {
  if (!existsSync(path)) throw new LegionError('repository.missing', `${path} does not exist.`);
  const url = (await git.ask(path, ['config', '--get', 'remote.origin.url']))?.trim() ?? '';
  const wanted = `${owner}/${name}`;
  const { repo = 'unknown' } = parseRemoteUrl(url);
  if (repo.toLowerCase() === wanted.toLowerCase()) return path;
  throw new LegionError(
    'repository.missing',
    `The origin remote of ${path} is ${quoteText(repo)}, not ${wanted}.`,
  );
}
