/** A clone of our own that follows a repository on GitHub: made once, brought up to date before it matters. */
import { existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { LegionPaths } from '../config/paths.ts';
import { LegionError, shown } from '../core/model/fault.ts';
import type { Environment } from '../domain/environment.ts';
import { type Git, gitRunner } from '../git/runner.ts';
import { type Ground, ground, homePath, type RepositoryEntry } from './compose-ground.ts';

/** The first fetch of a very large repository over a slow line; the ones after it bring only what is new. */
const FETCH_LIMIT_MS = 30 * 60_000;

/** Where `git fetch` puts what GitHub has; branches of issues lie beside it and are ours. */
const FOLLOWED = '+refs/heads/*:refs/remotes/origin/*';

/** Bytes a second, and for how many seconds: slower than any line that still works. */
const SLOWEST_BYTES = '1000';
const SLOWEST_SECONDS = '60';

export interface CloneOptions {
  readonly paths: LegionPaths;
  /** Where GitHub has its website and its git, such as `https://github.com`. */
  readonly web: string;
  readonly environment: Environment;
  /** What git needs in its environment to sign in. */
  readonly access: () => Promise<Readonly<Record<string, string>>>;
}

/** Of `owner/name` or `host/owner/name`, which the configuration has checked. */
export function repositoryName(repo: string): { readonly owner: string; readonly name: string } {
  const [name = '', owner = ''] = repo.split('/').toReversed();
  return { owner, name };
}

/** The repository of the folder that `legion.yaml` lies in, where the file names none. */
export async function repositoryAround(
  folder: string,
  web: string,
  environment: Environment,
): Promise<RepositoryEntry> {
  const git = gitRunner({ environment });
  const asked = git.ask(folder, ['config', '--get', 'remote.origin.url']);
  const { host, repo } = placeIn((await asked.catch(() => undefined))?.trim() ?? '');
  if (host === new URL(web).host && repo !== undefined) return { repo };
  const where = host === undefined ? 'has no remote origin on a server' : `has its origin at ${shown(host)}`;
  throw new LegionError('repository.missing', `repos is empty, and ${folder} ${where}, not at ${web}`);
}

/** `https://host/owner/name.git`, `ssh://git@host/owner/name`, `git@host:owner/name`; what is before the `@` may be a secret. */
const REMOTE = /^(?:[a-z+]+:\/\/)?(?:[^@/]*@)?([^:/@]+(?::\d+(?=\/))?)[:/]([^/:@]+\/[^/:@]+?)(?:\.git)?\/?$/i;

function placeIn(url: string): { readonly host?: string | undefined; readonly repo?: string | undefined } {
  const [, host, repo] = REMOTE.exec(url) ?? [];
  return { host, repo };
}

/** Rejects where there is neither a clone yet nor a GitHub that answers; a clone that is there does for the start. */
export async function cloneGround(entry: RepositoryEntry, options: CloneOptions): Promise<Ground> {
  const { environment, web, access } = options;
  const { owner, name } = repositoryName(entry.repo);
  const url = `${web}/${owner}/${name}.git`;
  const git = gitRunner({ environment, timeoutMs: FETCH_LIMIT_MS });
  const path =
    entry.path === undefined
      ? await ownClone(git, options.paths.clone(new URL(web).host, owner, name), url)
      : await checkedRemote(git, homePath(entry.path, environment), owner, name);

  async function fetch(signal?: AbortSignal): Promise<void> {
    const env = await access();
    await git.answer(path, ['fetch', '--quiet', '--prune', '--no-tags', 'origin', FOLLOWED], { env, signal });
    // What GitHub calls its default branch may change; not being told is no reason to stop.
    if (entry.base === undefined)
      await git.answer(path, ['remote', 'set-head', 'origin', '--auto'], { env, signal, answers: [1] });
  }

  /** Many workers start at once: one fetch that began after they asked is enough for all who wait for the next. */
  let next: Promise<void> | undefined;
  let running: Promise<unknown> = Promise.resolve();
  function renew(): Promise<void> {
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
  if (known === undefined) await renew();
  const baseOptions = { base: entry.base, remote: 'origin' };
  return ground({ name: `${owner}/${name}`, path, baseOptions, environment, renew });
}

/** Bare, because nobody works in it: each issue has its worktree. Begun anew where a kill left half of it. */
async function ownClone(git: Git, path: string, url: string): Promise<string> {
  if (!existsSync(join(path, 'HEAD'))) {
    mkdirSync(path, { recursive: true, mode: 0o700 });
    await git.run(path, ['init', '--quiet', '--bare', '.']);
  }
  await git.run(path, ['config', 'remote.origin.url', url]);
  await git.run(path, ['config', 'remote.origin.fetch', FOLLOWED]);
  // A line that is dead ends the fetch, instead of holding a start for as long as a large one may take.
  await git.run(path, ['config', 'http.lowSpeedLimit', SLOWEST_BYTES]);
  await git.run(path, ['config', 'http.lowSpeedTime', SLOWEST_SECONDS]);
  return path;
}

/** A checkout that belongs to another repository would send one project's code to the other. */
async function checkedRemote(git: Git, path: string, owner: string, name: string): Promise<string> {
  if (!existsSync(path)) throw new LegionError('repository.missing', `${path} is not there`);
  const url = (await git.ask(path, ['config', '--get', 'remote.origin.url']))?.trim() ?? '';
  const wanted = `${owner}/${name}`;
  const { repo = 'of nobody' } = placeIn(url);
  if (repo.toLowerCase() === wanted.toLowerCase()) return path;
  throw new LegionError(
    'repository.missing',
    `the remote origin of ${path} is ${shown(repo)}, not ${wanted}`,
  );
}
