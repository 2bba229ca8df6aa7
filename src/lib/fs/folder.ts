/** Folders that survive a power cut, together with the names in them. */
import { mkdir, open } from 'node:fs/promises';
import { dirname } from 'node:path';
import { PRIVATE_FOLDER } from './draft.ts';

/** Nothing happens where the folder is there. */
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
