/**
 * Resolves names to objects with one long-running git process, because starting a process would
 * cost more than the lookup itself. Caches results that never change.
 */
import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { LegionError } from '../core/model/fault.ts';
import { buildGitStart, type GitEnvironmentOptions, type GitRunner } from './runner.ts';

export interface ObjectLookup {
  /**
   * Returns ids in the order of the names. Undefined if the object does not exist. References are
   * read again on every call.
   */
  objects(names: readonly string[]): Promise<readonly (string | undefined)[]>;
}

export interface GitLookup extends ObjectLookup {
  close(): void;
}

const COMMAND = ['cat-file', '--batch-check=%(objectname)'];

/**
 * An answer takes less than a millisecond. A git process that takes this long is stuck and is
 * replaced.
 */
const ANSWER_MS = 10_000;

interface PendingLookup {
  answer(line: string): void;
  fail(error: LegionError): void;
}

export function openLookup(options: GitEnvironmentOptions, gitDir: string): GitLookup {
  const { settings, env } = buildGitStart(options);
  let running: { readonly git: ChildProcessWithoutNullStreams; readonly open: PendingLookup[] } | undefined;
  let closed = false;

  function begin() {
    const git = spawn('git', [...settings, `--git-dir=${gitDir}`, ...COMMAND], { env, cwd: '/' });
    const open: PendingLookup[] = [];
    const started = { git, open };
    const end = (why: string) => {
      if (running === started) running = undefined;
      for (const question of open.splice(0))
        question.fail(new LegionError('git.failed', `git cat-file: ${why}`));
    };
    createInterface({ input: git.stdout }).on('line', (line) => open.shift()?.answer(line));
    git.stderr.resume();
    git.stdin.on('error', () => {}); // it has exited; its exit handler reports that
    git.once('error', (error) => end(error.message));
    git.once('exit', (code) => end(`ended with ${code}`));
    running = started;
    return started;
  }

  function resolveName(name: string): Promise<string | undefined> {
    const { git, open } = running ?? begin();
    return new Promise((resolve, reject) => {
      const late = setTimeout(() => git.kill('SIGKILL'), ANSWER_MS);
      open.push({
        answer(line) {
          clearTimeout(late);
          resolve(parseObjectName(line));
        },
        fail(error) {
          clearTimeout(late);
          reject(error);
        },
      });
      git.stdin.write(`${name}\n`);
    });
  }

  return {
    async objects(names) {
      if (closed) throw new LegionError('git.failed', `${gitDir}: The lookup is closed`);
      refuseLineBreaks(names);
      return Promise.all(names.map(resolveName));
    },
    close() {
      closed = true;
      running?.git.kill('SIGKILL');
    },
  };
}

/** Starts one process per lookup, for a repository without a long-running git process. */
export function createOneShotLookup(git: Pick<GitRunner, 'answer'>, gitDir: string): ObjectLookup {
  return {
    async objects(names) {
      refuseLineBreaks(names);
      if (names.length === 0) return [];
      const { out } = await git.answer(gitDir, COMMAND, { input: `${names.join('\n')}\n` });
      const lines = out.split('\n');
      return names.map((_, index) => parseObjectName(lines[index] ?? ''));
    },
  };
}

/** Resolves a reference or SHA to its commit. */
export async function findCommit(lookup: ObjectLookup, name: string): Promise<string | undefined> {
  return (await lookup.objects([`${name}^{commit}`]))[0];
}

/**
 * Maximum number of commits counted here. A separate process counts the commits of longer branches.
 */
const MAX_COUNTED_COMMITS = 8;

/**
 * Counts the commits of `head` on top of `base`. Undefined if `head` does not descend from `base`,
 * has a merge in between, or has too many commits. Most branches are only a few commits ahead of
 * their base, so this usually needs no process.
 */
export async function countOnTop(
  lookup: ObjectLookup,
  base: string,
  head: string,
): Promise<number | undefined> {
  const depths = Array.from({ length: MAX_COUNTED_COMMITS + 1 }, (_, depth) => depth);
  const [commits, secondParents] = await Promise.all([
    lookup.objects(depths.map((depth) => `${head}~${depth}^{commit}`)),
    lookup.objects(depths.map((depth) => `${head}~${depth}^2`)),
  ]);
  const count = commits.indexOf(base);
  const isLinear = secondParents.slice(0, count).every((parent) => parent === undefined);
  return count === -1 || !isLinear ? undefined : count;
}

/** git answers "NAME missing" or "NAME ambiguous" if there is no such object. */
function parseObjectName(line: string): string | undefined {
  return /^[0-9a-f]{40,64}$/.test(line) ? line : undefined;
}

/** A name with a line break would be read as two questions and get two answers. */
function refuseLineBreaks(names: readonly string[]): void {
  if (names.some((name) => /[\r\n\0]/.test(name)))
    throw new LegionError('input.invalid', 'An object name contains a line break');
}

/** Enough for a thousand pull requests. A result is mostly a list of paths. */
const MAX_REMEMBERED = 1_000;

/**
 * Caches recent results that never change, such as the diff between two commits. Caches results
 * only, not pending requests: each concurrent caller computes the result itself, because one of
 * them may be interrupted.
 */
export function createRecentCache<T>(): (key: string, compute: () => Promise<T>) => Promise<T> {
  const results = new Map<string, { readonly value: T }>();
  return async (key, compute) => {
    const result = results.get(key) ?? { value: await compute() };
    results.delete(key);
    results.set(key, result); // moved to the end, because a map's first entry is the least recently used
    const [oldest] = results.keys();
    if (results.size > MAX_REMEMBERED && oldest !== undefined) results.delete(oldest);
    return result.value;
  };
}
