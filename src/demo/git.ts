/** Runs git for the demo, without what a user's own configuration may add to it. */

import { LegionError } from '../core/model/fault.ts';
import type { Environment } from '../domain/environment.ts';
import { run } from '../lib/process/run.ts';

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
  const { status, stopped, stdout, stderr } = await run('git', [...SETTINGS, ...args], {
    cwd: folder,
    env: { ...environment, LC_ALL: 'C', GIT_TERMINAL_PROMPT: '0' },
    timeoutMs: GIT_LIMIT_MS,
  }).catch((error: NodeJS.ErrnoException) => {
    const code = error.code === 'ENOENT' ? 'git.missing' : 'git.failed';
    throw new LegionError(code, `git ${args[0]} in ${folder}: ${error.message}`, { cause: error });
  });
  if (status === 0) return stdout.trim();
  throw new LegionError('git.failed', `git ${args[0]} in ${folder}: ${stopped ?? status}: ${stderr.trim()}`);
}
