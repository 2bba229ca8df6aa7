/**
 * Finds uncommitted changes that a merge would overwrite in work trees that have the base checked
 * out.
 */
import { copyFile, lstat, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { LegionError } from '../../../core/model/fault.ts';
import type { CheckoutObstacle } from '../../../ports/forge.ts';
import type { CommitComparison, GitRepository } from '../../forge-support/repository.ts';
import type { LocalForgeContext } from './context.ts';

/** Reading must not take the lock that the user's own git needs. */
const WITHOUT_LOCKS = { GIT_OPTIONAL_LOCKS: '0' } as const;

const NO_CHANGES_INSIDE_SUBMODULES = '--ignore-submodules=dirty';

/**
 * Returns an empty list if every work tree on the base can move from one commit or tree to the
 * other without losing uncommitted changes.
 */
export async function findObstacles(
  { repository, comparison }: Pick<LocalForgeContext, 'repository' | 'comparison'>,
  from: string,
  to: string,
): Promise<readonly CheckoutObstacle[]> {
  const [folders, incoming] = await Promise.all([
    repository.workTreesOn(repository.base),
    listIncomingPaths(comparison, from, to),
  ]);
  const obstacles = await Promise.all(
    folders.map((folder) => findObstacle(repository, folder, { from, to, ...incoming })),
  );
  return obstacles.filter((obstacle) => obstacle !== undefined);
}

/** Describes an obstacle for people, without the directory it is in. */
export function describeObstacle({ files, why }: CheckoutObstacle): string {
  return files.length === 0 ? why : `${why}: ${files.join(', ')}`;
}

interface IncomingPaths {
  /** Paths that the merge changes, including both names of a renamed file and pure mode changes. */
  readonly changed: ReadonlySet<string>;
  readonly added: readonly string[];
}

async function listIncomingPaths(
  comparison: CommitComparison,
  from: string,
  to: string,
): Promise<IncomingPaths> {
  const entries = await comparison.entries(from, to);
  const added = [...entries].filter(([, entry]) => entry.endsWith(' A'));
  return { changed: new Set(entries.keys()), added: added.map(([path]) => path) };
}

type WorkTreeMove = IncomingPaths & { readonly from: string; readonly to: string };

async function findObstacle(
  repository: GitRepository,
  folder: string,
  move: WorkTreeMove,
): Promise<CheckoutObstacle | undefined> {
  if (await isIndexLocked(folder))
    return { folder, files: [], why: 'another git command is running there (index.lock)' };
  // Runs the checks in parallel: each takes a process or two, and a merge waits for all of them.
  const [uncommitted, untracked, refusal] = await Promise.all([
    listUncommittedPaths(repository, folder, move.from),
    listUntrackedInTheWay(repository, folder, move),
    findGitRefusal(repository, folder, move),
  ]);
  const overlap = [...uncommitted].filter((path) => move.changed.has(path));
  const files = [...new Set([...overlap, ...untracked])].sort();
  if (files.length > 0) return { folder, files, why: 'uncommitted changes to files that the merge changes' };
  return refusal === undefined
    ? undefined
    : { folder, files: [], why: `git refuses to update it: ${refusal}` };
}

/**
 * Lists paths with staged or unstaged changes, with both names of a renamed file. Includes a
 * submodule if a different commit is checked out in it.
 */
async function listUncommittedPaths(
  { runIn }: GitRepository,
  folder: string,
  base: string,
): Promise<ReadonlySet<string>> {
  const status = await readWorkTreeStatus(runIn, folder);
  if (status.head === base) return new Set(status.paths);
  // Right after a merge, the head is newer than the index, so the index is compared with the base
  // from which the index was created.
  const staged = [
    'diff-index',
    '--cached',
    '-z',
    '--name-only',
    '--no-renames',
    NO_CHANGES_INSIDE_SUBMODULES,
  ];
  const unstaged = ['diff', '--name-only', '-z', '--no-renames', '--no-ext-diff', '--no-relative'];
  const outputs = await Promise.all([
    runIn(folder, [...staged, base, '--'], { env: WITHOUT_LOCKS }),
    runIn(folder, [...unstaged, NO_CHANGES_INSIDE_SUBMODULES], { env: WITHOUT_LOCKS }),
  ]);
  return new Set(outputs.flatMap(({ out }) => out.split('\0')).filter((path) => path !== ''));
}

const STATUS = [
  'status',
  '--porcelain=v2',
  '--branch',
  '-z',
  '--untracked-files=no',
  '--no-renames',
  NO_CHANGES_INSIDE_SUBMODULES,
];
const HEAD = '# branch.oid ';
/**
 * Number of fields before the path in the status line of a changed file and of an unmerged file.
 */
const FIELDS: Readonly<Record<string, number>> = { '1': 8, u: 10 };

async function readWorkTreeStatus(
  runIn: GitRepository['runIn'],
  folder: string,
): Promise<{ readonly head: string | undefined; readonly paths: readonly string[] }> {
  const records = (await runIn(folder, STATUS, { env: WITHOUT_LOCKS })).out.split('\0');
  const head = records.find((record) => record.startsWith(HEAD))?.slice(HEAD.length);
  const paths = records.flatMap((record) => {
    const fields = FIELDS[record.charAt(0)];
    return fields === undefined ? [] : [record.split(' ').slice(fields).join(' ')];
  });
  return { head, paths };
}

/**
 * Lists untracked files that the merge would overwrite. Includes ignored files, because git
 * overwrites those silently.
 */
async function listUntrackedInTheWay(
  repository: GitRepository,
  folder: string,
  { added, changed }: WorkTreeMove,
): Promise<readonly string[]> {
  const paths = await Promise.all(
    added.map(async (path): Promise<readonly string[]> => {
      switch (await readPathKind(join(folder, path))) {
        case 'none':
          return [];
        case 'folder':
          return listUntrackedUnder(repository, folder, path);
        case 'file':
          return [path];
        case 'below a file':
          return (await findFileAbove(folder, path, changed)) ?? [];
      }
    }),
  );
  return paths.flat();
}

async function listUntrackedUnder(
  repository: GitRepository,
  folder: string,
  path: string,
): Promise<readonly string[]> {
  const { out } = await repository.runIn(folder, ['ls-files', '--others', '-z', '--', `:(literal)${path}`], {
    env: WITHOUT_LOCKS,
  });
  return out.split('\0').filter((name) => name !== '');
}

/**
 * Finds a file at a path where the merge needs a directory. A file that the merge removes is not an
 * obstacle.
 */
async function findFileAbove(
  folder: string,
  path: string,
  changed: ReadonlySet<string>,
): Promise<readonly string[] | undefined> {
  for (let ancestor = dirname(path); ancestor !== '.'; ancestor = dirname(ancestor)) {
    if ((await readPathKind(join(folder, ancestor))) === 'file')
      return changed.has(ancestor) ? undefined : [ancestor];
  }
  return undefined;
}

async function readPathKind(path: string): Promise<'none' | 'file' | 'folder' | 'below a file'> {
  try {
    return (await lstat(path)).isDirectory() ? 'folder' : 'file';
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT') return 'none';
    if (code === 'ENOTDIR') return 'below a file';
    throw error;
  }
}

/** Lets git try the update on a copy of the index, without touching the user's index or files. */
async function findGitRefusal(
  repository: GitRepository,
  folder: string,
  { from, to }: WorkTreeMove,
): Promise<string | undefined> {
  const scratch = await mkdtemp(join(tmpdir(), 'legion-index-'));
  try {
    const copy = join(scratch, 'index');
    await copyFile(await resolveIndexPath(folder), copy);
    const env = { ...WITHOUT_LOCKS, GIT_INDEX_FILE: copy };
    await readTrees(repository, folder, ['-n', '-m', '-u', from, to], env);
    return undefined;
  } catch (error) {
    if (error instanceof LegionError && error.code === 'git.failed') return error.message;
    throw error;
  } finally {
    await rm(scratch, { recursive: true, force: true });
  }
}

/**
 * Retries after refreshing the index. Without the refresh, git treats a file as changed even if
 * only its timestamp changed.
 */
export async function readTrees(
  { runIn }: Pick<GitRepository, 'runIn'>,
  folder: string,
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Promise<void> {
  const read = () => runIn(folder, ['read-tree', ...args], { env });
  try {
    await read();
  } catch (error) {
    if (!(error instanceof LegionError) || error.code !== 'git.failed') throw error;
    // git exits with 1 if files differ. The merge keeps those differences.
    await runIn(folder, ['update-index', '-q', '--refresh'], { env, answers: [1] });
    await read();
  }
}

export async function isIndexLocked(folder: string): Promise<boolean> {
  return (await readPathKind(`${await resolveIndexPath(folder)}.lock`)) !== 'none';
}

/**
 * Returns the path of the index: it is in `.git` of a main work tree, or in the directory to which
 * the `.git` file of a linked work tree points.
 */
async function resolveIndexPath(folder: string): Promise<string> {
  const dotGit = join(folder, '.git');
  if ((await readPathKind(dotGit)) !== 'file') return join(dotGit, 'index');
  const [, entry = ''] = /^gitdir: ([^\n]+)\n?$/.exec(await readFile(dotGit, 'utf8')) ?? [];
  return join(resolve(folder, entry), 'index');
}
