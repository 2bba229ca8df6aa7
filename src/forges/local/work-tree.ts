/** Lets a work tree that has the base checked out follow a merge, and refuses beforehand where that would endanger anything in it. */
import { lstat } from 'node:fs/promises';
import { join } from 'node:path';
import { LegionError } from '../../domain/fault.ts';
import { branchRef, type Repository } from '../repository.ts';

/**
 * If only the reference moved, the work tree would look as if somebody had staged the opposite of the merge, and the next
 * `git commit -a` there would undo it. So a merge needs every work tree on the base to be exactly at the base, and takes it
 * along; one with changes refuses the merge before anything lands.
 */
export async function refuseUnsafeWorkTrees(
  repository: Repository,
  from: string,
  to: string,
): Promise<readonly string[]> {
  const folders = await workTreesOn(repository, repository.base);
  for (const folder of folders) {
    const danger = await dangerIn(repository, folder, from, to);
    if (danger !== undefined) throw new LegionError('forge.base_in_use', `${folder}: ${danger}`);
  }
  return folders;
}

/** For work trees that were found safe a moment ago: git itself still refuses to overwrite what has been changed since. */
export function takeAlong(
  repository: Repository,
  folders: readonly string[],
  from: string,
  to: string,
): Promise<string | undefined> {
  return noted(folders, async (folder) => {
    await follow(repository, folder, from, to);
    return undefined;
  });
}

/** Some time after the merge. Returns what a person should know: which work tree stayed behind after all, and why. */
export async function followMerge(
  repository: Repository,
  from: string,
  to: string,
): Promise<string | undefined> {
  return noted(await workTreesOn(repository, repository.base), async (folder) => {
    if (await isExactlyAt(repository, folder, to)) return undefined;
    const danger = await dangerIn(repository, folder, from, to);
    if (danger === undefined) await follow(repository, folder, from, to);
    return danger;
  });
}

async function follow({ runIn }: Repository, folder: string, from: string, to: string): Promise<void> {
  await runIn(folder, ['read-tree', '-m', '-u', from, to]);
}

/** The merge has landed by now: whatever keeps a work tree from following it is a note and not a failure. */
async function noted(
  folders: readonly string[],
  work: (folder: string) => Promise<string | undefined>,
): Promise<string | undefined> {
  const notes: string[] = [];
  for (const folder of folders) {
    const why = await work(folder).catch((error: unknown) =>
      error instanceof Error ? error.message : String(error),
    );
    if (why !== undefined) notes.push(`${folder} was left as it is: ${why}`);
  }
  return notes.length === 0 ? undefined : notes.join('; ');
}

/** Folders of the repository's work trees that stand on this branch. */
export async function workTreesOn(repository: Repository, branch: string): Promise<readonly string[]> {
  const { out } = await repository.run(['worktree', 'list', '--porcelain', '-z']);
  return out.split('\0\0').flatMap((entry) => {
    const lines = entry.split('\0');
    const folder = lines.find((line) => line.startsWith('worktree '))?.slice('worktree '.length);
    const gone = lines.some((line) => line.startsWith('prunable'));
    return folder === undefined || gone || !lines.includes(`branch ${branchRef(branch)}`) ? [] : [folder];
  });
}

async function dangerIn(
  repository: Repository,
  folder: string,
  from: string,
  to: string,
): Promise<string | undefined> {
  const [isClean, inTheWay] = await Promise.all([
    isExactlyAt(repository, folder, from),
    untrackedInTheWay(repository, folder, from, to),
  ]);
  if (!isClean) return 'has changes that are not committed';
  if (inTheWay !== undefined)
    return `has ${inTheWay}, which is not in git and which the merge would overwrite`;
  const { code } = await repository.runIn(folder, ['read-tree', '-n', '-m', '-u', from, to], {
    answers: [1, 128],
  });
  return code === 0 ? undefined : 'git would not update it';
}

/** Index and files are those of the commit; files git does not know do not count. */
async function isExactlyAt(repository: Repository, folder: string, commit: string): Promise<boolean> {
  const ask = async (...args: string[]) =>
    (await repository.runIn(folder, args, { answers: [1] })).code === 0;
  await ask('update-index', '-q', '--refresh'); // or a file that was only touched would count as changed
  const same = await Promise.all([
    ask('diff-index', '--cached', '--quiet', commit, '--'),
    ask('diff-files', '--quiet'),
  ]);
  return same.every(Boolean);
}

/** Ignored ones too: git overwrites those without a word. */
async function untrackedInTheWay(
  repository: Repository,
  folder: string,
  from: string,
  to: string,
): Promise<string | undefined> {
  const args = ['diff-tree', '-r', '-z', '--name-only', '--no-renames', '--diff-filter=A', from, to];
  const { out } = await repository.run(args);
  for (const path of out.split('\0')) {
    if (path !== '' && (await isThere(join(folder, path)))) return path;
  }
  return undefined;
}

async function isThere(path: string): Promise<boolean> {
  try {
    await lstat(path);
    return true;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT' || code === 'ENOTDIR') return false; // a file where a folder is needed is git's own question
    throw error;
  }
}
