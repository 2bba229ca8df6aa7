/** Runs the sample project's own tests on its main branch, in a clean copy of that very commit. */
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { run } from '../lib/process/run.ts';
import { git } from './git.ts';
import type { DemoPlace } from './lay-out.ts';
import { ACCEPTANCE_TESTS, UNIT_TESTS } from './project/project.ts';

/** They take a second; on a busy machine, some. */
const TESTS_LIMIT_MS = 60_000;

export interface MainTests {
  readonly passed: boolean;
  readonly sha: string;
  readonly commands: readonly string[];
  /** What the first command that failed wrote last. */
  readonly output?: string;
}

/** Characters of output: what a person reads of a failure. */
const OUTPUT_SHOWN = 2_000;

export async function testMain(
  { repository, folder, environment }: DemoPlace,
  signal: AbortSignal,
): Promise<MainTests> {
  const copy = join(folder, 'main');
  const sha = await git(repository, ['rev-parse', 'refs/heads/main'], environment);
  const about = { sha, commands: [UNIT_TESTS, ACCEPTANCE_TESTS].map((command) => command.join(' ')) };
  await git(folder, ['clone', '--quiet', '--shared', '--branch=main', repository, copy], environment);
  try {
    for (const command of [UNIT_TESTS, ACCEPTANCE_TESTS]) {
      const failure = await failureOf(command, copy, environment, signal);
      if (failure !== undefined) return { ...about, passed: false, output: failure.slice(-OUTPUT_SHOWN) };
    }
    return { ...about, passed: true };
  } finally {
    rmSync(copy, { recursive: true, force: true });
  }
}

/** Undefined where the command ended well. */
async function failureOf(
  [program, ...args]: readonly [string, ...string[]],
  cwd: string,
  env: DemoPlace['environment'],
  signal: AbortSignal,
): Promise<string | undefined> {
  const limits = { timeoutMs: TESTS_LIMIT_MS, tailChars: OUTPUT_SHOWN };
  const unstarted = (error: Error) => ({ status: error.message, stopped: undefined, stdout: '' });
  const tested = run(program, args, { cwd, env, signal, ...limits });
  const { status, stopped, stdout } = await tested.catch(unstarted);
  signal.throwIfAborted();
  return status === 0 ? undefined : `${program} ${args.join(' ')}: ${stopped ?? status}\n${stdout}`;
}
