/** Writes a file so that a power cut leaves the old content or the new, and nobody ever reads half of it. */
import { randomUUID } from 'node:crypto';
import { chmodSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { open, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { syncFolder, syncFolderSync } from './folder.ts';

/** Ends the name of a file that is being written; an old one was left by a crash. */
export const UNFINISHED = '.unfinished';

/** Files hold tokens, prompts and what people write about their code: for this user only. */
export const PRIVATE_FILE = 0o600;

/** Replaces a file of that name. Rejects with the file system's error; the old file is then as it was. */
export async function writeDurably(path: string, text: string): Promise<void> {
  const draft = draftBeside(path);
  try {
    await writeNew(draft, text);
    await rename(draft, path);
  } catch (error) {
    await rm(draft, { force: true }).catch(() => {}); // the first error is the one to report
    throw error;
  }
  await syncFolder(dirname(path));
}

/** The same while everything else waits: for a file written once at the start or at a person's request. */
export function writeDurablySync(path: string, text: string, mode = PRIVATE_FILE): void {
  const draft = draftBeside(path);
  try {
    writeFileSync(draft, text, { flag: 'wx', mode, flush: true });
    chmodSync(draft, mode); // a umask may have taken away the right to run it
    renameSync(draft, path);
  } catch (error) {
    rmSync(draft, { force: true });
    throw error;
  }
  syncFolderSync(dirname(path));
}

/** Beside its place, because only a rename within one file system is atomic; hidden and unique. */
function draftBeside(path: string): string {
  return join(dirname(path), `.${randomUUID()}${UNFINISHED}`);
}

/** The content is on the disk when it resolves, the name only once its folder is synced. Refuses a taken name. */
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
