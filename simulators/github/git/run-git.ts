/** Runs git on a simulator repository, isolated from the machine's git configuration. */
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** Time limit for one command. All commands work on small local repositories. */
const MAX_GIT_MS = 60_000;
const MAX_OUTPUT_BYTES = 64 * 1024 * 1024;

export interface GitAnswer {
  readonly code: number;
  readonly stdout: string;
}

/** Rejects unless git exits with 0. */
export async function runGit(folder: string, args: readonly string[], input?: string): Promise<string> {
  const { code, stdout, stderr } = await tryGit(folder, args, input);
  if (code !== 0) throw new Error(`git ${args.join(' ')}: ${stderr.trim()}`);
  return stdout.trimEnd();
}

/** Runs a command whose exit code is part of the result, such as a merge that may conflict. */
export async function tryGit(
  folder: string,
  args: readonly string[],
  input?: string,
): Promise<GitAnswer & { readonly stderr: string }> {
  const started = run('git', args, {
    cwd: folder,
    env: GIT_ENVIRONMENT,
    timeout: MAX_GIT_MS,
    maxBuffer: MAX_OUTPUT_BYTES,
  });
  if (input !== undefined) started.child.stdin?.end(input);
  try {
    return { code: 0, ...(await started) };
  } catch (error) {
    const { code, stdout, stderr } = error as { code?: unknown; stdout?: string; stderr?: string };
    if (typeof code !== 'number') throw error;
    return { code, stdout: stdout ?? '', stderr: stderr ?? '' };
  }
}

const { PATH } = process.env;

export const GIT_ENVIRONMENT: NodeJS.ProcessEnv = {
  PATH,
  GIT_CONFIG_GLOBAL: '/dev/null',
  GIT_CONFIG_SYSTEM: '/dev/null',
  GIT_AUTHOR_NAME: 'GitHub',
  GIT_AUTHOR_EMAIL: 'noreply@github.com',
  GIT_COMMITTER_NAME: 'GitHub',
  GIT_COMMITTER_EMAIL: 'noreply@github.com',
};
