/** Runs git as a person or a worker does, independently of the forge's own git code. */
import { execFile } from 'node:child_process';
import { existsSync, readFileSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** Ignores the machine's configuration, so that the tests behave the same everywhere. */
const ENVIRONMENT = {
  LC_ALL: 'C',
  GIT_CONFIG_GLOBAL: '/dev/null',
  GIT_CONFIG_NOSYSTEM: '1',
  GIT_AUTHOR_NAME: 'Worker',
  GIT_AUTHOR_EMAIL: 'worker@example.org',
  GIT_COMMITTER_NAME: 'Worker',
  GIT_COMMITTER_EMAIL: 'worker@example.org',
  // Disables git maintenance, which would start another process for each commit and fetch.
  GIT_CONFIG_COUNT: '1',
  GIT_CONFIG_KEY_0: 'maintenance.auto',
  GIT_CONFIG_VALUE_0: 'false',
};

export async function git(folder: string, ...args: readonly string[]): Promise<string> {
  const { PATH = '', HOME = '' } = process.env;
  const { stdout } = await run('git', ['-C', folder, ...args], { env: { ...ENVIRONMENT, PATH, HOME } });
  return stdout.trimEnd();
}

/** Reads a work tree's current commit from its files, without starting git. */
export function readHead(workTree: string): string {
  const dotGit = join(workTree, '.git');
  const gitDir = statSync(dotGit).isDirectory()
    ? dotGit
    : resolve(
        workTree,
        readFileSync(dotGit, 'utf8')
          .trim()
          .replace(/^gitdir: /, ''),
      );
  const head = readFileSync(join(gitDir, 'HEAD'), 'utf8').trim();
  if (!head.startsWith('ref: ')) return head;
  const common = join(gitDir, 'commondir');
  const repository = existsSync(common) ? resolve(gitDir, readFileSync(common, 'utf8').trim()) : gitDir;
  return readRef(repository, head.slice('ref: '.length));
}

/** Reads a ref of a git directory from its files. */
export function readRef(gitFolder: string, ref: string): string {
  const file = join(gitFolder, ref);
  if (existsSync(file)) return readFileSync(file, 'utf8').trim();
  const packed = readFileSync(join(gitFolder, 'packed-refs'), 'utf8').split('\n');
  const line = packed.find((each) => each.endsWith(` ${ref}`));
  if (line === undefined) throw new Error(`${gitFolder} has no ${ref}`);
  return line.slice(0, line.indexOf(' '));
}
