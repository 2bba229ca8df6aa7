/** Writes a whole file so that a power cut leaves either all of it or nothing. */
import { randomUUID } from 'node:crypto';
import { mkdir, open, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';

/** It holds the worker's token. */
const FILE_MODE = 0o600;
const FOLDER_MODE = 0o700;

/** The folder is made where it is missing; a file of that name is replaced. */
export async function writeDurably(path: string, text: string): Promise<void> {
  const folder = dirname(path);
  const made = await mkdir(folder, { recursive: true, mode: FOLDER_MODE });
  if (made !== undefined) await sync(dirname(made));
  // Beside its place, because only a rename within one file system is atomic.
  const draft = join(folder, `.draft-${randomUUID()}`);
  try {
    await writeSynced(draft, text);
    await rename(draft, path);
  } catch (error) {
    await rm(draft, { force: true });
    throw error;
  }
  // Without this a power cut may undo the rename.
  await sync(folder);
}

async function writeSynced(path: string, text: string): Promise<void> {
  const file = await open(path, 'wx', FILE_MODE);
  try {
    await file.writeFile(text);
    await file.sync();
  } finally {
    await file.close();
  }
}

async function sync(folder: string): Promise<void> {
  const handle = await open(folder, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
