/** The two links between a worktree and its entry in the repository: `.git` in the one, `gitdir` in the other. */
import { lstat, readFile, rename, writeFile } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { unlessAbsent } from './faults.ts';

/** The entry that the worktree at `path` names; nothing where it is no worktree. */
export async function entryOf(path: string): Promise<string | undefined> {
  const file = join(path, '.git');
  if ((await unlessAbsent(lstat(file)))?.isFile() !== true) return undefined;
  const [, named] = /^gitdir: ([^\n]+)\n?$/.exec((await unlessAbsent(readFile(file, 'utf8'))) ?? '') ?? [];
  if (named === undefined) return undefined;
  const entry = resolve(path, named);
  return basename(dirname(entry)) === 'worktrees' ? entry : undefined;
}

/** The repository's common folder. */
export function commonOf(entry: string): string {
  return dirname(dirname(entry));
}

/** The worktree that the entry names; nothing where a kill came before the name was written. */
export async function worktreeOf(entry: string): Promise<string | undefined> {
  const text = (await unlessAbsent(readFile(join(entry, 'gitdir'), 'utf8')))?.trim() ?? '';
  return text === '' ? undefined : dirname(resolve(entry, text));
}

/** Under another name first: half a line would cut the worktree off. */
export async function linkTo(entry: string, path: string): Promise<void> {
  const unfinished = join(entry, 'gitdir.legion');
  await writeFile(unfinished, `${join(path, '.git')}\n`);
  await rename(unfinished, join(entry, 'gitdir'));
}
