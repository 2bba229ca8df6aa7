/** Which object a name stands for, asked of one git that stays: a process for each question would cost more than the answer. */
import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { LegionError } from '../core/model/fault.ts';
import { gitStart, type Surroundings } from './environment.ts';
import type { Git } from './runner.ts';

export interface ObjectLookup {
  /** In the order of the names; undefined for what is not there. References are read anew at each question. */
  objects(names: readonly string[]): Promise<readonly (string | undefined)[]>;
}

export interface Lookup extends ObjectLookup {
  close(): void;
}

const COMMAND = ['cat-file', '--batch-check=%(objectname)'];

/** An answer takes less than a millisecond; a git that owes one for this long is stuck, and is replaced. */
const ANSWER_MS = 10_000;

interface Question {
  answer(line: string): void;
  fail(error: LegionError): void;
}

export function openLookup(surroundings: Surroundings, gitDir: string): Lookup {
  const { settings, env } = gitStart(surroundings);
  let asked: { readonly git: ChildProcessWithoutNullStreams; readonly open: Question[] } | undefined;
  let closed = false;

  function begin() {
    const git = spawn('git', [...settings, `--git-dir=${gitDir}`, ...COMMAND], { env, cwd: '/' });
    const open: Question[] = [];
    const begun = { git, open };
    const end = (why: string) => {
      if (asked === begun) asked = undefined;
      for (const question of open.splice(0))
        question.fail(new LegionError('git.failed', `git cat-file: ${why}`));
    };
    createInterface({ input: git.stdout }).on('line', (line) => open.shift()?.answer(line));
    git.stderr.resume();
    git.stdin.on('error', () => {}); // it has ended; that is told by its exit
    git.once('error', (error) => end(error.message));
    git.once('exit', (code) => end(`ended with ${code}`));
    asked = begun;
    return begun;
  }

  function ask(name: string): Promise<string | undefined> {
    const { git, open } = asked ?? begin();
    return new Promise((resolve, reject) => {
      const late = setTimeout(() => git.kill('SIGKILL'), ANSWER_MS);
      open.push({
        answer(line) {
          clearTimeout(late);
          resolve(objectIn(line));
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
      if (closed) throw new LegionError('git.failed', `${gitDir}: asked after it was closed`);
      refuseLineBreaks(names);
      return Promise.all(names.map(ask));
    },
    close() {
      closed = true;
      asked?.git.kill('SIGKILL');
    },
  };
}

/** Answers with one process per call: for a repository that nobody keeps a git running for. */
export function lookupOnce(git: Pick<Git, 'answer'>, gitDir: string): ObjectLookup {
  return {
    async objects(names) {
      refuseLineBreaks(names);
      if (names.length === 0) return [];
      const { out } = await git.answer(gitDir, COMMAND, { input: `${names.join('\n')}\n` });
      const lines = out.split('\n');
      return names.map((_, index) => objectIn(lines[index] ?? ''));
    },
  };
}

/** The commit a reference or SHA stands for. */
export async function commitOf(lookup: ObjectLookup, name: string): Promise<string | undefined> {
  return (await lookup.objects([`${name}^{commit}`]))[0];
}

/** Branches of more commits are counted by a process of their own. */
const COUNTED_ON_TOP = 8;

/**
 * How many commits `head` has on top of `base`; undefined where it does not stand on it, has a merge in between, or too many
 * to be worth the questions. Mostly a branch is a few commits on its base, and no process is needed to know that.
 */
export async function countOnTop(
  lookup: ObjectLookup,
  base: string,
  head: string,
): Promise<number | undefined> {
  const depths = Array.from({ length: COUNTED_ON_TOP + 1 }, (_, depth) => depth);
  const [commits, secondParents] = await Promise.all([
    lookup.objects(depths.map((depth) => `${head}~${depth}^{commit}`)),
    lookup.objects(depths.map((depth) => `${head}~${depth}^2`)),
  ]);
  const count = commits.indexOf(base);
  const isLinear = secondParents.slice(0, count).every((parent) => parent === undefined);
  return count === -1 || !isLinear ? undefined : count;
}

/** Git answers "NAME missing" or "NAME ambiguous" where there is no such object. */
function objectIn(line: string): string | undefined {
  return /^[0-9a-f]{40,64}$/.test(line) ? line : undefined;
}

/** A name with a line break would be two questions with two answers. */
function refuseLineBreaks(names: readonly string[]): void {
  if (names.some((name) => /[\r\n\0]/.test(name)))
    throw new LegionError('input.invalid', 'a name has a line break');
}
