/** Finds the work trees of a repository that have a branch checked out. */
import { constants } from 'node:fs';
import { access, open, readdir, readFile, stat } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';

interface WorkTree {
  readonly folder: string;
  /** Its folder was deleted without telling git. */
  readonly isGone: boolean;
}

/** By the full name of the branch. */
export type WorkTreeFinder = (ref: string) => Promise<readonly WorkTree[]>;

export const LIST_WORK_TREES: readonly string[] = ['worktree', 'list', '--porcelain', '-z'];

/**
 * `list` asks git, by `LIST_WORK_TREES`. It is only called when a `HEAD` file of the repository names the branch, and again
 * when the files it answers from have changed: most branches are checked out nowhere, or have been there for a long time.
 */
export function workTreeFinder(common: string, list: () => Promise<string>): WorkTreeFinder {
  const remembered = new Map<string, { readonly state: string; readonly found: readonly WorkTree[] }>();
  return async (ref) => {
    const state = await stateOf(common, ref);
    if (state === NOWHERE) return [];
    const known = remembered.get(ref);
    if (state !== undefined && known?.state === state) return known.found;
    const found = workTreesIn(await list(), ref);
    // A checkout during the listing leaves it open which of the two states the answer describes.
    if (state !== undefined && (await stateOf(common, ref)) === state) remembered.set(ref, { state, found });
    else remembered.delete(ref);
    return found;
  };
}

function workTreesIn(listed: string, ref: string): readonly WorkTree[] {
  return listed.split('\0\0').flatMap((record) => {
    const lines = record.split('\0');
    const folder = lines.find((line) => line.startsWith('worktree '))?.slice('worktree '.length);
    if (folder === undefined || !lines.includes(`branch ${ref}`)) return [];
    return [{ folder, isGone: lines.some((line) => line.startsWith('prunable')) }];
  });
}

const NOWHERE = 'nowhere';

/** Everything git's answer depends on; undefined where files do not tell, or tell of a folder that is not there. */
async function stateOf(common: string, ref: string): Promise<string | undefined> {
  const linked = await namesIn(join(common, 'worktrees'));
  const places = linked.map((name) => join(common, 'worktrees', name));
  const heads = await Promise.all([headIn(common), ...places.map(headIn)]);
  if (heads[0] === 'absent' || heads.includes('unclear')) return undefined;
  const naming = [common, ...places].filter((_, index) => heads[index] === `ref: ${ref}`);
  if (naming.length === 0) return NOWHERE;
  const states = await Promise.all(
    naming.map((place) => (place === common ? mainState(place) : linkState(place))),
  );
  return states.includes(undefined) ? undefined : JSON.stringify(states);
}

/** Whether the repository is bare stands in its settings. */
async function mainState(common: string): Promise<string | undefined> {
  const { mtimeMs, size } = await stat(join(common, 'config'));
  return `${common} ${mtimeMs} ${size}`;
}

async function linkState(place: string): Promise<string | undefined> {
  try {
    const link = (await readFile(join(place, 'gitdir'), 'utf8')).trim();
    await access(dirname(resolve(place, link)));
    return `${place} ${link}`;
  } catch {
    return undefined;
  }
}

/** What a `HEAD` file says. Repositories with a reference table, or with links for references, keep the truth elsewhere. */
async function headIn(place: string): Promise<string> {
  try {
    const file = await open(join(place, 'HEAD'), constants.O_RDONLY | constants.O_NOFOLLOW);
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

async function namesIn(folder: string): Promise<readonly string[]> {
  try {
    return await readdir(folder);
  } catch (error) {
    if (ABSENT.has((error as NodeJS.ErrnoException).code ?? '')) return [];
    throw error;
  }
}
