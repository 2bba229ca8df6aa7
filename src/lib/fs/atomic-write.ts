/** Writes a file so that a power cut leaves the old content or the new, and nobody ever reads half of it. */
import { open, rename, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import { draftBeside, PRIVATE_FILE } from './draft.ts';
import { syncFolder } from './folder.ts';

/** A file of that name is replaced. Rejects with what the file system says; the old file is then as it was. */
export async function writeDurably(path: string, text: string): Promise<void> {
  const draft = draftBeside(path);
  try {
    await writeNew(draft, text);
    await rename(draft, path);
  } catch (error) {
    await rm(draft, { force: true }).catch(() => {}); // why it was not written is what counts
    throw error;
  }
  await syncFolder(dirname(path));
}

/** The content is on the disk when it resolves, the name only once its folder is synced. Refuses a name that is taken. */
async function writeNew(path: string, text: string): Promise<void> {
  const file = await open(path, 'wx', PRIVATE_FILE);
  try {
    if (text === '') return; // nothing to sync
    await file.writeFile(text);
    await file.sync();
  } finally {
    await file.close();
  }
}
