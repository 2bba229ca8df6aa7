/** Runs git for tests with a fixed author and without the user's settings. */
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

const run = promisify(execFile);

export const { PATH: SEARCH_PATH = '' } = process.env;

/** Returns git's output without the last line break. */
export async function git(folder: string, ...args: readonly string[]): Promise<string> {
  const env = {
    PATH: SEARCH_PATH,
    HOME: folder,
    GIT_CONFIG_NOSYSTEM: '1',
    GIT_AUTHOR_NAME: 'Ann',
    GIT_AUTHOR_EMAIL: 'ann@example.org',
    GIT_COMMITTER_NAME: 'Ann',
    GIT_COMMITTER_EMAIL: 'ann@example.org',
    // Disables automatic maintenance, because otherwise each commit and fetch would start one more
    // process.
    GIT_CONFIG_COUNT: '1',
    GIT_CONFIG_KEY_0: 'maintenance.auto',
    GIT_CONFIG_VALUE_0: 'false',
  };
  const { stdout } = await run('git', ['-C', folder, ...args], { env });
  return stdout.trimEnd();
}

/** Runs git like `git`, but returns undefined if it fails. */
export async function gitOrNothing(folder: string, ...args: readonly string[]): Promise<string | undefined> {
  return git(folder, ...args).catch(() => undefined);
}
