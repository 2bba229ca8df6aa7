/** A folder that only its owner can enter, so that no other user can put anything into it. */
import { lstatSync, mkdirSync, type Stats } from 'node:fs';

const PRIVATE_FOLDER = 0o700;
const PERMISSION_BITS = 0o777;

/** Creates the folder with mode 0700 if it is missing; returns why the one that is there cannot be trusted. */
export function makePrivateFolder(path: string): string | undefined {
  mkdirSync(path, { recursive: true, mode: PRIVATE_FOLDER });
  return findFolderProblem(path);
}

/** Returns undefined where the folder belongs to this user, has mode 0700 and is not a symbolic link. */
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
