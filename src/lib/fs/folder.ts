/** Folders: durable ones, private ones, and the names in them. */
import { closeSync, fsyncSync, lstatSync, mkdirSync, openSync, readdirSync, type Stats } from 'node:fs';
import { mkdir, open, readdir } from 'node:fs/promises';
import { dirname } from 'node:path';

const PRIVATE_FOLDER = 0o700;
const PERMISSION_BITS = 0o777;

/** Creates the folder for this user only, unless it exists, so that it survives a power cut. */
export async function makeFolderDurably(path: string): Promise<void> {
  const made = await mkdir(path, { recursive: true, mode: PRIVATE_FOLDER });
  if (made !== undefined) await syncFolder(dirname(made));
}

/** Without this a power cut may undo a rename in the folder: a name is durable only when its folder is. */
export async function syncFolder(path: string): Promise<void> {
  const folder = await open(path, 'r');
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
}

export function syncFolderSync(path: string): void {
  const folder = openSync(path, 'r');
  try {
    fsyncSync(folder);
  } finally {
    closeSync(folder);
  }
}

/** Returns no names for a folder that does not exist. */
export async function listNames(folder: string): Promise<string[]> {
  try {
    return await readdir(folder);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
    throw error;
  }
}

/** Names of the folders in a folder, sorted; none for one that cannot be read. */
export function listFolders(folder: string): readonly string[] {
  try {
    const entries = readdirSync(folder, { withFileTypes: true });
    return entries
      .filter((entry) => entry.isDirectory())
      .map(({ name }) => name)
      .sort();
  } catch {
    return [];
  }
}

/** Creates the folder with mode 0700 if it is missing; returns why an existing one cannot be trusted. */
export function makePrivateFolder(path: string): string | undefined {
  mkdirSync(path, { recursive: true, mode: PRIVATE_FOLDER });
  return findFolderProblem(path);
}

/** Returns undefined if the folder belongs to this user, has mode 0700 and is not a symbolic link. */
export function findFolderProblem(path: string): string | undefined {
  const stats = lstatSync(path);
  const problem = findOwnerProblem(path, stats, 'folder', (found) => found.isDirectory());
  if (problem !== undefined) return problem;
  const mode = stats.mode & PERMISSION_BITS;
  if (mode === PRIVATE_FOLDER) return undefined;
  return `${path} has mode 0${mode.toString(8)} instead of 0700; run \`chmod 700\` on it`;
}

/** `stats` come from `lstat`: a link is not what it leads to. */
export function findOwnerProblem(
  path: string,
  stats: Stats,
  kind: 'folder' | 'socket',
  isKind: (stats: Stats) => boolean,
): string | undefined {
  if (stats.isSymbolicLink()) return `${path} is a symbolic link instead of a ${kind}`;
  if (!isKind(stats)) return `${path} is not a ${kind}`;
  const own = process.getuid?.();
  if (own === undefined || stats.uid === own) return undefined;
  return `${path} belongs to another user (uid ${stats.uid}; you are uid ${own})`;
}
