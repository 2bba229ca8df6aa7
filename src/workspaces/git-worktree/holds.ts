/** What would be lost with a workspace, by name. */
import { lstat, readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { printable } from '../../git/errors.ts';
import type { Git } from '../../git/runner.ts';
import { unlessAbsent } from './faults.ts';
import type { Ours } from './inspect.ts';

/** Enough to see what it is about; the rest is counted. */
const NAMED = 20;

/** Files: changed, untracked, or hidden from `git status`; and what else only lives in this worktree. */
export async function filesHeld(git: Git, { workspace, entry }: Ours): Promise<readonly string[]> {
  const { path } = workspace;
  const changed = (await git.run(path, STATUS)).split('\0').filter((record) => record !== '');
  const untracked = changed.filter((record) => record.startsWith('??')).map((record) => record.slice(3));
  const uncommitted = changed.filter((record) => !record.startsWith('??')).map((record) => record.slice(3));
  return [
    ...named('uncommitted', uncommitted),
    ...named('untracked', untracked),
    ...named('hidden from git status', await hidden(git, path)),
    ...named('submodule with commits of its own', await submodulesHeld(git, join(entry, 'modules'))),
    ...(await lockedBySomebody(entry)),
  ];
}

/** Said in full, because the repository's settings could say otherwise. */
const STATUS = [
  'status',
  '--porcelain=v1',
  '-z',
  '--untracked-files=normal',
  '--ignore-submodules=none',
  '--no-renames',
];

/** Commits reachable from the tips that are in none of the other places. */
export async function commitsHeld(
  git: Git,
  common: string,
  tips: readonly string[],
  elsewhere: readonly string[],
): Promise<readonly string[]> {
  if (tips.length === 0) return [];
  const format = ['--no-commit-header', '--format=%h %s'];
  const printed = await git.run(common, ['rev-list', ...format, ...tips, '--not', ...elsewhere]);
  const commits = printed.split('\n').filter((line) => line !== '');
  return named('neither merged nor pushed', commits);
}

/** Assume-unchanged and skip-worktree make git look away from a file; a sparse checkout has no such file on disk. */
async function hidden(git: Git, path: string): Promise<readonly string[]> {
  const lookedAwayFrom = (await git.run(path, ['ls-files', '-v', '-z']))
    .split('\0')
    .filter((record) => /^[a-zS] /.test(record))
    .map((record) => record.slice(2));
  const there: string[] = [];
  for (const file of lookedAwayFrom) {
    if ((await unlessAbsent(lstat(join(path, file)))) !== undefined) there.push(file);
  }
  return there;
}

/** Submodules, at any depth, with commits that none of their remotes has; uncommitted files in them are seen by `git status`. */
async function submodulesHeld(git: Git, modules: string, prefix = ''): Promise<readonly string[]> {
  const held: string[] = [];
  for (const name of (await unlessAbsent(readdir(modules))) ?? []) {
    const folder = join(modules, name);
    const shown = `${prefix}${name}`;
    if ((await unlessAbsent(lstat(join(folder, 'HEAD')))) === undefined) {
      // A name with a slash in it, such as `libs/one`.
      if ((await lstat(folder)).isDirectory()) held.push(...(await submodulesHeld(git, folder, `${shown}/`)));
      continue;
    }
    const own = ['rev-list', '--max-count=1', 'HEAD', '--branches', '--not', '--remotes', '--tags'];
    if ((await git.run(folder, [`--git-dir=${folder}`, ...own])) !== '') held.push(shown);
    held.push(...(await submodulesHeld(git, join(folder, 'modules'), `${shown}/`)));
  }
  return held;
}

async function lockedBySomebody(entry: string): Promise<readonly string[]> {
  const reason = await unlessAbsent(readFile(join(entry, 'locked'), 'utf8'));
  return reason === undefined ? [] : [`locked: ${printable(reason.trim() || 'no reason given')}`];
}

function named(what: string, names: readonly string[]): readonly string[] {
  const shown = names.slice(0, NAMED).map((name) => `${what}: ${printable(name)}`);
  const rest = names.length - shown.length;
  return rest === 0 ? shown : [...shown, `${what}: and ${rest} more`];
}
