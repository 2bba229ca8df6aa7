/** The two links between a worktree and its entry in the repository: `.git` in the one, `gitdir` in the other. */
import { lstatSync, readFileSync } from 'node:fs';
import { rename, writeFile } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { readUnlessAbsent } from './faults.ts';

/** The entry that the worktree at `path` names; nothing where it is no worktree. */
export function entryOf(path: string): string | undefined {
  const file = join(path, '.git');
  if (readUnlessAbsent(() => lstatSync(file))?.isFile() !== true) return undefined;
  const text = readUnlessAbsent(() => readFileSync(file, 'utf8')) ?? '';
  const [, named] = /^gitdir: ([^\n]+)\n?$/.exec(text) ?? [];
  if (named === undefined) return undefined;
  const entry = resolve(path, named);
  return basename(dirname(entry)) === 'worktrees' ? entry : undefined;
}

/** The repository's common folder. */
export function commonOf(entry: string): string {
  return dirname(dirname(entry));
}

/** The worktree that the entry names; nothing where a kill came before the name was written. */
export function worktreeOf(entry: string): string | undefined {
  const text = readUnlessAbsent(() => readFileSync(join(entry, 'gitdir'), 'utf8'))?.trim() ?? '';
  return text === '' ? undefined : dirname(resolve(entry, text));
}

/** Under another name first: half a line would cut the worktree off. */
export async function linkTo(entry: string, path: string): Promise<void> {
  const unfinished = join(entry, 'gitdir.legion');
  await writeFile(unfinished, `${join(path, '.git')}\n`);
  await rename(unfinished, join(entry, 'gitdir'));
}
