/** What in the work trees of the base stands in the way of a merge: uncommitted changes to files that the merge changes. */
import { copyFile, lstat, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { LegionError } from '../../../core/model/fault.ts';
import type { Desk } from '../../../forges/local/desk.ts';
import type { CheckoutObstacle } from '../../../ports/forge.ts';
import type { Comparison } from '../../forge-support/compare.ts';
import type { Repository } from '../../forge-support/repository.ts';

/** Reading must not take the lock that the user's own git needs. */
const WITHOUT_LOCKS = { GIT_OPTIONAL_LOCKS: '0' } as const;

const NO_CHANGES_INSIDE_SUBMODULES = '--ignore-submodules=dirty';

/** None: every work tree on the base can follow from one commit, or tree, to the other and keeps what is uncommitted. */
export async function findObstacles(
  { repository, comparison }: Pick<Desk, 'repository' | 'comparison'>,
  from: string,
  to: string,
): Promise<readonly CheckoutObstacle[]> {
  const [folders, incoming] = await Promise.all([
    repository.workTreesOn(repository.base),
    incomingPaths(comparison, from, to),
  ]);
  const found = await Promise.all(
    folders.map((folder) => obstacleIn(repository, folder, { from, to, ...incoming })),
  );
  return found.filter((obstacle) => obstacle !== undefined);
}

/** For people, without the folder. */
export function describeObstacle({ files, why }: CheckoutObstacle): string {
  return files.length === 0 ? why : `${why}: ${files.join(', ')}`;
}

interface Incoming {
  /** Both names of a renamed file; a change of mode alone counts, too. */
  readonly changed: ReadonlySet<string>;
  readonly added: readonly string[];
}

async function incomingPaths(comparison: Comparison, from: string, to: string): Promise<Incoming> {
  const entries = await comparison.entries(from, to);
  const added = [...entries].filter(([, entry]) => entry.endsWith(' A'));
  return { changed: new Set(entries.keys()), added: added.map(([path]) => path) };
}

type Move = Incoming & { readonly from: string; readonly to: string };

async function obstacleIn(
  repository: Repository,
  folder: string,
  move: Move,
): Promise<CheckoutObstacle | undefined> {
  if (await isIndexLocked(folder))
    return { folder, files: [], why: 'another git command is running there (index.lock)' };
  // Each is a process or two; a merge waits for all of them.
  const [uncommitted, inTheWay, refusal] = await Promise.all([
    uncommittedPaths(repository, folder, move.from),
    untrackedInTheWay(repository, folder, move),
    refusalOfGit(repository, folder, move),
  ]);
  const overlap = [...uncommitted].filter((path) => move.changed.has(path));
  const files = [...new Set([...overlap, ...inTheWay])].sort();
  if (files.length > 0) return { folder, files, why: 'uncommitted changes to files that the merge changes' };
  return refusal === undefined
    ? undefined
    : { folder, files: [], why: `git would not update it: ${refusal}` };
}

/** Staged or not; of a renamed file both names. A submodule counts where another commit of it is checked out. */
async function uncommittedPaths(
  { runIn }: Repository,
  folder: string,
  base: string,
): Promise<ReadonlySet<string>> {
  const status = await statusIn(runIn, folder);
  if (status.head === base) return new Set(status.paths);
  // Right after a merge its head is newer than its index: then the index is compared with what it stood at.
  const staged = [
    'diff-index',
    '--cached',
    '-z',
    '--name-only',
    '--no-renames',
    NO_CHANGES_INSIDE_SUBMODULES,
  ];
  const unstaged = ['diff', '--name-only', '-z', '--no-renames', '--no-ext-diff', '--no-relative'];
  const outs = await Promise.all([
    runIn(folder, [...staged, base, '--'], { env: WITHOUT_LOCKS }),
    runIn(folder, [...unstaged, NO_CHANGES_INSIDE_SUBMODULES], { env: WITHOUT_LOCKS }),
  ]);
  return new Set(outs.flatMap(({ out }) => out.split('\0')).filter((path) => path !== ''));
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
/** Fields before the path of a changed and of an unmerged file. */
const FIELDS: Readonly<Record<string, number>> = { '1': 8, u: 10 };

async function statusIn(
  runIn: Repository['runIn'],
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
    await copyFile(await indexPath(folder), copy);
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

/** A file that was only touched counts as changed until the index is refreshed; mostly that is not needed. */
export async function readTrees(
  { runIn }: Pick<Repository, 'runIn'>,
  folder: string,
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Promise<void> {
  const read = () => runIn(folder, ['read-tree', ...args], { env });
  try {
    await read();
  } catch (error) {
    if (!(error instanceof LegionError) || error.code !== 'git.failed') throw error;
    // Exits with 1 where files differ, which is what the merge keeps.
    await runIn(folder, ['update-index', '-q', '--refresh'], { env, answers: [1] });
    await read();
  }
}

export async function isIndexLocked(folder: string): Promise<boolean> {
  return (await kindOf(`${await indexPath(folder)}.lock`)) !== 'none';
}

/** In the `.git` of a main work tree, or where that of a linked one leads. */
async function indexPath(folder: string): Promise<string> {
  const dotGit = join(folder, '.git');
  if ((await kindOf(dotGit)) !== 'file') return join(dotGit, 'index');
  const [, entry = ''] = /^gitdir: ([^\n]+)\n?$/.exec(await readFile(dotGit, 'utf8')) ?? [];
  return join(resolve(folder, entry), 'index');
}
