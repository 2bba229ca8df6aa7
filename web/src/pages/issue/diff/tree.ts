/**
 * Builds a directory tree from the files of a diff. A directory whose only entry is another
 * directory is merged with that directory. Pure.
 */
import type { DiffFile } from './rows.ts';

export interface DiffFolder {
  readonly name: string;
  readonly folders: readonly DiffFolder[];
  readonly files: readonly DiffFile[];
}

export function buildTree(files: readonly DiffFile[]): DiffFolder {
  return buildFolder('', '', files);
}

function buildFolder(name: string, prefix: string, files: readonly DiffFile[]): DiffFolder {
  const ownFiles = files.filter(({ path }) => !path.slice(prefix.length).includes('/'));
  const nestedFiles = files.filter((file) => !ownFiles.includes(file));
  const groups = Map.groupBy(nestedFiles, ({ path }) => path.slice(prefix.length).split('/')[0] ?? '');
  const folders = [...groups].map(([child, members]) => buildFolder(child, `${prefix}${child}/`, members));
  const [onlyFolder] = folders;
  if (name !== '' && ownFiles.length === 0 && folders.length === 1 && onlyFolder !== undefined) {
    return { ...onlyFolder, name: `${name}/${onlyFolder.name}` };
  }
  return { name, folders, files: ownFiles };
}
