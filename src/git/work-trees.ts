/** Finds the work trees of a repository that have a branch checked out. */
import { constants } from 'node:fs';
import { access, open, readdir, readFile, stat } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';

interface WorkTree {
  readonly folder: string;
  /** True if the folder was deleted without informing git. */
  readonly isGone: boolean;
}

/** Takes the full name of the branch. */
export type WorkTreeFinder = (ref: string) => Promise<readonly WorkTree[]>;

export const LIST_WORK_TREES: readonly string[] = ['worktree', 'list', '--porcelain', '-z'];

/**
 * `list` runs git with `LIST_WORK_TREES`. Most branches are checked out nowhere or stay checked out
 * for a long time. So `list` is called only if a `HEAD` file of the repository contains the branch,
 * and called again only after one of these files has changed.
 */
export function createWorkTreeFinder(common: string, list: () => Promise<string>): WorkTreeFinder {
  const remembered = new Map<string, { readonly state: string; readonly workTrees: readonly WorkTree[] }>();
  return async (ref) => {
    const state = await readWorkTreeState(common, ref);
    if (state === NOWHERE) return [];
    const known = remembered.get(ref);
    if (state !== undefined && known?.state === state) return known.workTrees;
    const workTrees = parseWorkTrees(await list(), ref);
    // Remembers the result only if the state is still the same: after a checkout during the
    // listing, the result may describe either state.
    if (state !== undefined && (await readWorkTreeState(common, ref)) === state)
      remembered.set(ref, { state, workTrees });
    else remembered.delete(ref);
    return workTrees;
  };
}

function parseWorkTrees(listed: string, ref: string): readonly WorkTree[] {
  return listed.split('\0\0').flatMap((record) => {
    const lines = record.split('\0');
    const folder = lines.find((line) => line.startsWith('worktree '))?.slice('worktree '.length);
    if (folder === undefined || !lines.includes(`branch ${ref}`)) return [];
    return [{ folder, isGone: lines.some((line) => line.startsWith('prunable')) }];
  });
}

const NOWHERE = 'nowhere';

/**
 * Returns everything that git's answer depends on. Undefined if the files are inconclusive or refer
 * to a missing folder.
 */
async function readWorkTreeState(common: string, ref: string): Promise<string | undefined> {
  const linked = await listNames(join(common, 'worktrees'));
  const folders = linked.map((name) => join(common, 'worktrees', name));
  const heads = await Promise.all([readHead(common), ...folders.map(readHead)]);
  if (heads[0] === 'absent' || heads.includes('unclear')) return undefined;
  const checkouts = [common, ...folders].filter((_, index) => heads[index] === `ref: ${ref}`);
  if (checkouts.length === 0) return NOWHERE;
  const states = await Promise.all(
    checkouts.map((folder) => (folder === common ? readMainState(folder) : readLinkState(folder))),
  );
  return states.includes(undefined) ? undefined : JSON.stringify(states);
}

/** Includes the repository's config, which says whether the repository is bare. */
async function readMainState(common: string): Promise<string | undefined> {
  const { mtimeMs, size } = await stat(join(common, 'config'));
  return `${common} ${mtimeMs} ${size}`;
}

async function readLinkState(folder: string): Promise<string | undefined> {
  try {
    const link = (await readFile(join(folder, 'gitdir'), 'utf8')).trim();
    await access(dirname(resolve(folder, link)));
    return `${folder} ${link}`;
  } catch {
    return undefined;
  }
}

/**
 * Reads a `HEAD` file. Repositories with a reftable or with symlinked references store the branch
 * elsewhere.
 */
async function readHead(folder: string): Promise<string> {
  try {
    const file = await open(join(folder, 'HEAD'), constants.O_RDONLY | constants.O_NOFOLLOW);
    try {
      const text = (await file.readFile('utf8')).trim();
      return text === 'ref: refs/heads/.invalid' ? 'unclear' : text;
    } finally {
      await file.close();
    }
  } catch (error) {
    return ABSENT.has((error as NodeJS.ErrnoException).code ?? '') ? 'absent' : 'unclear';
  }
}

const ABSENT: ReadonlySet<string> = new Set(['ENOENT', 'ENOTDIR']);

async function listNames(folder: string): Promise<readonly string[]> {
  try {
    return await readdir(folder);
  } catch (error) {
    if (ABSENT.has((error as NodeJS.ErrnoException).code ?? '')) return [];
    throw error;
  }
}
