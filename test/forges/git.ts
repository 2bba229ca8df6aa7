/** git as a person or a worker uses it, apart from the forge's own. */
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** Nothing of the machine's own configuration, so that the tests are the same everywhere. */
const ENVIRONMENT = {
  LC_ALL: 'C',
  GIT_CONFIG_GLOBAL: '/dev/null',
  GIT_CONFIG_NOSYSTEM: '1',
  GIT_AUTHOR_NAME: 'Worker',
  GIT_AUTHOR_EMAIL: 'worker@example.org',
  GIT_COMMITTER_NAME: 'Worker',
  GIT_COMMITTER_EMAIL: 'worker@example.org',
};

export async function git(folder: string, ...args: readonly string[]): Promise<string> {
  const { PATH = '', HOME = '' } = process.env;
  const { stdout } = await run('git', ['-C', folder, ...args], { env: { ...ENVIRONMENT, PATH, HOME } });
  return stdout.trimEnd();
}
