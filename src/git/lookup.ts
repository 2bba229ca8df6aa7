/** Which object a name stands for, asked of one git that stays: a process for each question would cost more than the answer. */
import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { LegionError } from '../domain/fault.ts';
import { gitStart, type Surroundings } from './environment.ts';

export interface Lookup {
  /** In the order of the names; undefined for what is not there. References are read anew at each question. */
  objects(names: readonly string[]): Promise<readonly (string | undefined)[]>;
  close(): void;
}

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
    const args = [...settings, `--git-dir=${gitDir}`, 'cat-file', '--batch-check=%(objectname)'];
    const git = spawn('git', args, { env, cwd: '/' });
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
          // "NAME missing" or "NAME ambiguous" otherwise.
          resolve(/^[0-9a-f]{40,64}$/.test(line) ? line : undefined);
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
      // A name with a line break would be two questions with two answers.
      if (names.some((name) => /[\r\n\0]/.test(name)))
        throw new LegionError('input.invalid', 'a name has a line break');
      return Promise.all(names.map(ask));
    },
    close() {
      closed = true;
      asked?.git.kill('SIGKILL');
    },
  };
}
