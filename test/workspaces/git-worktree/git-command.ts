/** Git as a person would use it, for tests: with a name and without anybody's settings. */
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

const run = promisify(execFile);

export const { PATH: SEARCH_PATH = '' } = process.env;

/** What git printed, without the last line break. */
export async function git(folder: string, ...args: readonly string[]): Promise<string> {
  const env = {
    PATH: SEARCH_PATH,
    HOME: folder,
    GIT_CONFIG_NOSYSTEM: '1',
    GIT_AUTHOR_NAME: 'Ann',
    GIT_AUTHOR_EMAIL: 'ann@example.org',
    GIT_COMMITTER_NAME: 'Ann',
    GIT_COMMITTER_EMAIL: 'ann@example.org',
    // Each commit and fetch would start one more process.
    GIT_CONFIG_COUNT: '1',
    GIT_CONFIG_KEY_0: 'maintenance.auto',
    GIT_CONFIG_VALUE_0: 'false',
  };
  const { stdout } = await run('git', ['-C', folder, ...args], { env });
  return stdout.trimEnd();
}

/** The same, or nothing where git says no. */
export async function gitOrNothing(folder: string, ...args: readonly string[]): Promise<string | undefined> {
  return git(folder, ...args).catch(() => undefined);
}
