/** Runs git for the demo, without what a user's own configuration may add to it. */
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import type { Environment } from '../domain/environment.ts';
import { LegionError } from '../domain/fault.ts';

const run = promisify(execFile);

/** A few small files; what takes longer hangs. */
const GIT_LIMIT_MS = 30_000;

/** Hooks, signatures and line ends of the user's own are not for a sample; its author is on no machine. */
const SETTINGS = [
  'user.name=Legion demo',
  'user.email=demo@legion.invalid',
  'commit.gpgsign=false',
  'core.hooksPath=/dev/null',
  'core.autocrlf=false',
].flatMap((setting) => ['-c', setting]);

export async function git(
  folder: string,
  args: readonly string[],
  environment: Environment,
): Promise<string> {
  try {
    const { stdout } = await run('git', [...SETTINGS, ...args], {
      cwd: folder,
      env: { ...environment, LC_ALL: 'C', GIT_TERMINAL_PROMPT: '0' },
      timeout: GIT_LIMIT_MS,
    });
    return stdout.trim();
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    const fault = code === 'ENOENT' ? 'git.missing' : 'git.failed';
    throw new LegionError(fault, `git ${args[0]} in ${folder}: ${message.trim()}`, { cause: error });
  }
}
