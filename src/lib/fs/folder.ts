/** Creates durable and private folders and lists their contents. */
import { closeSync, fsyncSync, lstatSync, mkdirSync, openSync, readdirSync, type Stats } from 'node:fs';
import { mkdir, open, readdir } from 'node:fs/promises';
import { dirname } from 'node:path';

const PRIVATE_FOLDER_MODE = 0o700;
const PERMISSION_BITS = 0o777;

/** Creates the folder so that only this user can access it and it survives a power cut. */
export async function makeFolderDurably(path: string): Promise<void> {
  const created = await mkdir(path, { recursive: true, mode: PRIVATE_FOLDER_MODE });
  if (created !== undefined) await syncFolder(dirname(created));
}

/** Syncs a folder, because a power cut may otherwise undo a rename in it. */
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

/** Returns the sorted names of the subfolders of a folder. Empty if the folder cannot be read. */
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

/**
 * Creates the folder with mode 0700 if it is missing. Returns a problem if the folder exists but
 * cannot be trusted.
 */
export function makePrivateFolder(path: string): string | undefined {
  mkdirSync(path, { recursive: true, mode: PRIVATE_FOLDER_MODE });
  return findFolderProblem(path);
}

/** Returns undefined if the folder belongs to this user, has mode 0700 and is not a symbolic link. */
export function findFolderProblem(path: string): string | undefined {
  const stats = lstatSync(path);
  const problem = findOwnerProblem(path, stats, 'folder', (entry) => entry.isDirectory());
  if (problem !== undefined) return problem;
  const mode = stats.mode & PERMISSION_BITS;
  if (mode === PRIVATE_FOLDER_MODE) return undefined;
  return `${path} has mode 0${mode.toString(8)} instead of 0700. Run \`chmod 700\` on it`;
}

/** Expects `stats` from `lstat`, so that links are detected. */
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
