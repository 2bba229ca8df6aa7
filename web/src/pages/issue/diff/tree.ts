/** The files of a diff as a tree of folders; a folder with nothing but a folder in it is one with it. Pure. */
import type { DiffFile } from './rows.ts';

export interface Folder {
  readonly name: string;
  readonly folders: readonly Folder[];
  readonly files: readonly DiffFile[];
}

export function treeOf(files: readonly DiffFile[]): Folder {
  return folderOf('', '', files);
}

function folderOf(name: string, prefix: string, files: readonly DiffFile[]): Folder {
  const here = files.filter(({ path }) => !path.slice(prefix.length).includes('/'));
  const deeper = files.filter((file) => !here.includes(file));
  const groups = Map.groupBy(deeper, ({ path }) => path.slice(prefix.length).split('/')[0] ?? '');
  const folders = [...groups].map(([child, those]) => folderOf(child, `${prefix}${child}/`, those));
  const [only] = folders;
  if (name !== '' && here.length === 0 && folders.length === 1 && only !== undefined) {
    return { ...only, name: `${name}/${only.name}` };
  }
  return { name, folders, files: here };
}
