/** Runs the sample project's tests in a clean copy of its main branch. */
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { run } from '../lib/process/run.ts';
import { type DemoFolder, runGit } from './lay-out.ts';
import { ACCEPTANCE_TESTS, UNIT_TESTS } from './project.ts';

/** The tests take a second, or several on a busy machine. */
const TESTS_TIMEOUT_MS = 60_000;

export interface MainTests {
  readonly passed: boolean;
  readonly sha: string;
  readonly commands: readonly string[];
  /** Last output of the first command that failed. */
  readonly output?: string;
}

/** In characters. Enough for a person to understand a failure. */
const MAX_SHOWN_OUTPUT_CHARS = 2_000;

export async function runMainTests(
  { repository, folder, environment }: DemoFolder,
  signal: AbortSignal,
): Promise<MainTests> {
  const copy = join(folder, 'main');
  const sha = await runGit(repository, ['rev-parse', 'refs/heads/main'], environment);
  const facts = { sha, commands: [UNIT_TESTS, ACCEPTANCE_TESTS].map((command) => command.join(' ')) };
  await runGit(folder, ['clone', '--quiet', '--shared', '--branch=main', repository, copy], environment);
  try {
    for (const command of [UNIT_TESTS, ACCEPTANCE_TESTS]) {
      const failure = await findTestFailure(command, copy, environment, signal);
      if (failure !== undefined)
        return { ...facts, passed: false, output: failure.slice(-MAX_SHOWN_OUTPUT_CHARS) };
    }
    return { ...facts, passed: true };
  } finally {
    rmSync(copy, { recursive: true, force: true });
  }
}

/** Returns undefined if the command succeeded. */
async function findTestFailure(
  [program, ...args]: readonly [string, ...string[]],
  cwd: string,
  env: DemoFolder['environment'],
  signal: AbortSignal,
): Promise<string | undefined> {
  const limits = { timeoutMs: TESTS_TIMEOUT_MS, tailChars: MAX_SHOWN_OUTPUT_CHARS };
  const toFailedStart = (error: Error) => ({ status: error.message, stopped: undefined, stdout: '' });
  const tests = run(program, args, { cwd, env, signal, ...limits });
  const { status, stopped, stdout } = await tests.catch(toFailedStart);
  signal.throwIfAborted();
  return status === 0 ? undefined : `${program} ${args.join(' ')}: ${stopped ?? status}\n${stdout}`;
}
