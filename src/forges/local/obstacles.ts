/** What in the work trees of the base stands in the way of a merge: uncommitted changes to files that the merge changes. */
import { copyFile, lstat, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { LegionError } from '../../domain/fault.ts';
import type { CheckoutObstacle } from '../forge.ts';
import { branchRef, type Repository } from '../repository.ts';

/** Reading must not take the lock that the user's own git needs. */
const WITHOUT_LOCKS = { GIT_OPTIONAL_LOCKS: '0' } as const;

const NO_CHANGES_INSIDE_SUBMODULES = '--ignore-submodules=dirty';

/** None: every work tree on the base can follow from one commit to the other and keeps what is uncommitted. */
export async function findObstacles(
  repository: Repository,
  from: string,
  to: string,
): Promise<readonly CheckoutObstacle[]> {
  const folders = await workTreesOn(repository, repository.base);
  if (folders.length === 0) return [];
  const incoming = await incomingPaths(repository, from, to);
  const found = await Promise.all(
    folders.map((folder) => obstacleIn(repository, folder, { from, to, ...incoming })),
  );
  return found.filter((obstacle) => obstacle !== undefined);
}

/** For people, without the folder. */
export function describeObstacle({ files, why }: CheckoutObstacle): string {
  return files.length === 0 ? why : `${why}: ${files.join(', ')}`;
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

interface Incoming {
  /** Both names of a renamed file; a change of mode alone counts, too. */
  readonly changed: ReadonlySet<string>;
  readonly added: readonly string[];
}

async function incomingPaths(repository: Repository, from: string, to: string): Promise<Incoming> {
  const { out } = await repository.run(['diff-tree', '-r', '-z', '--name-status', '--no-renames', from, to]);
  const parts = out.split('\0');
  const changed = new Set<string>();
  const added: string[] = [];
  for (let at = 0; at + 1 < parts.length; at += 2) {
    const status = parts[at];
    const path = parts[at + 1] ?? '';
    changed.add(path);
    if (status === 'A') added.push(path);
  }
  return { changed, added };
}

type Move = Incoming & { readonly from: string; readonly to: string };

async function obstacleIn(
  repository: Repository,
  folder: string,
  move: Move,
): Promise<CheckoutObstacle | undefined> {
  if (await isIndexLocked(repository, folder))
    return { folder, files: [], why: 'another git command is running there (index.lock)' };
  const [uncommitted, inTheWay] = await Promise.all([
    uncommittedPaths(repository, folder, move.from),
    untrackedInTheWay(repository, folder, move),
  ]);
  const overlap = [...uncommitted].filter((path) => move.changed.has(path));
  const files = [...new Set([...overlap, ...inTheWay])].sort();
  if (files.length > 0) return { folder, files, why: 'uncommitted changes to files that the merge changes' };
  const refusal = await refusalOfGit(repository, folder, move);
  return refusal === undefined
    ? undefined
    : { folder, files: [], why: `git would not update it: ${refusal}` };
}

/** Staged or not; of a renamed file both names. A submodule counts where another commit of it is checked out. */
async function uncommittedPaths(
  repository: Repository,
  folder: string,
  base: string,
): Promise<ReadonlySet<string>> {
  const options = [
    '--name-only',
    '-z',
    '--no-renames',
    '--no-ext-diff',
    NO_CHANGES_INSIDE_SUBMODULES,
    '--no-relative',
  ];
  const [unstaged, staged] = await Promise.all([
    repository.runIn(folder, ['diff', ...options], { env: WITHOUT_LOCKS }),
    repository.runIn(folder, ['diff', '--cached', ...options, base, '--'], { env: WITHOUT_LOCKS }),
  ]);
  return new Set([...unstaged.out.split('\0'), ...staged.out.split('\0')].filter((path) => path !== ''));
}

/** Ignored files, too: git overwrites those without a word. */
async function untrackedInTheWay(
  repository: Repository,
  folder: string,
  { added, changed }: Move,
): Promise<readonly string[]> {
  const found = await Promise.all(
    added.map(async (path): Promise<readonly string[]> => {
      switch (await kindOf(join(folder, path))) {
        case 'none':
          return [];
        case 'folder':
          return untrackedUnder(repository, folder, path);
        case 'file':
          return [path];
        case 'below a file':
          return (await fileAbove(folder, path, changed)) ?? [];
      }
    }),
  );
  return found.flat();
}

async function untrackedUnder(
  repository: Repository,
  folder: string,
  path: string,
): Promise<readonly string[]> {
  const { out } = await repository.runIn(folder, ['ls-files', '--others', '-z', '--', `:(literal)${path}`], {
    env: WITHOUT_LOCKS,
  });
  return out.split('\0').filter((name) => name !== '');
}

/** A file where the merge needs a folder; one that the merge takes away is in nobody's way. */
async function fileAbove(
  folder: string,
  path: string,
  changed: ReadonlySet<string>,
): Promise<readonly string[] | undefined> {
  for (let above = dirname(path); above !== '.'; above = dirname(above)) {
    if ((await kindOf(join(folder, above))) === 'file') return changed.has(above) ? undefined : [above];
  }
  return undefined;
}

async function kindOf(path: string): Promise<'none' | 'file' | 'folder' | 'below a file'> {
  try {
    return (await lstat(path)).isDirectory() ? 'folder' : 'file';
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT') return 'none';
    if (code === 'ENOTDIR') return 'below a file';
    throw error;
  }
}

/** Git's own answer, on a copy of the index: neither the user's index nor a file of theirs is touched. */
async function refusalOfGit(
  repository: Repository,
  folder: string,
  { from, to }: Move,
): Promise<string | undefined> {
  const scratch = await mkdtemp(join(tmpdir(), 'legion-index-'));
  try {
    const copy = join(scratch, 'index');
    await copyFile(await indexPath(repository, folder), copy);
    const env = { ...WITHOUT_LOCKS, GIT_INDEX_FILE: copy };
    // A file that was only touched would otherwise count as changed.
    await repository.runIn(folder, ['update-index', '-q', '--refresh'], { env, answers: [1] });
    await repository.runIn(folder, ['read-tree', '-n', '-m', '-u', from, to], { env });
    return undefined;
  } catch (error) {
    if (error instanceof LegionError && error.code === 'git.failed') return error.message;
    throw error;
  } finally {
    await rm(scratch, { recursive: true, force: true });
  }
}

export async function isIndexLocked(repository: Repository, folder: string): Promise<boolean> {
  return (await kindOf(`${await indexPath(repository, folder)}.lock`)) !== 'none';
}

async function indexPath(repository: Repository, folder: string): Promise<string> {
  const asked = ['rev-parse', '--path-format=absolute', '--git-path', 'index'];
  return (await repository.runIn(folder, asked)).out.replace(/\n$/, '');
}
