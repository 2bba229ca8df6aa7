/**
 * Writes files atomically: a power cut leaves the old or the new content, and no reader sees half
 * of it.
 */
import { randomUUID } from 'node:crypto';
import { chmodSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { open, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { syncFolder, syncFolderSync } from './folder.ts';

/** Suffix of a file that is being written. An old file with this suffix was left by a crash. */
export const UNFINISHED_SUFFIX = '.unfinished';

/** Files contain tokens, prompts and texts about people's code, so only this user may read them. */
export const PRIVATE_FILE_MODE = 0o600;

/** Replaces the file. Rejects with the file system's error, leaving the old file unchanged. */
export async function writeDurably(path: string, text: string): Promise<void> {
  const draft = createDraftPath(path);
  try {
    await writeNewFile(draft, text);
    await rename(draft, path);
  } catch (error) {
    await rm(draft, { force: true }).catch(() => {}); // the first error is the one to report
    throw error;
  }
  await syncFolder(dirname(path));
}

/**
 * Like `writeDurably`, but blocking, for a file written once at startup or at a person's request.
 */
export function writeDurablySync(path: string, text: string, mode = PRIVATE_FILE_MODE): void {
  const draft = createDraftPath(path);
  try {
    writeFileSync(draft, text, { flag: 'wx', mode, flush: true });
    // An unusual umask may have removed the execute permission.
    if ((mode & 0o111) !== 0) chmodSync(draft, mode);
    renameSync(draft, path);
  } catch (error) {
    rmSync(draft, { force: true });
    throw error;
  }
  syncFolderSync(dirname(path));
}

/**
 * Returns a hidden, unique path in the same directory, because only a rename within one file system
 * is atomic.
 */
function createDraftPath(path: string): string {
  return join(dirname(path), `.${randomUUID()}${UNFINISHED_SUFFIX}`);
}

/**
 * Writes and syncs the content. The name is durable only after its folder is synced. Rejects if the
 * name is taken.
 */
async function writeNewFile(path: string, text: string): Promise<void> {
  const file = await open(path, 'wx', PRIVATE_FILE_MODE);
  try {
    if (text === '') return; // nothing to sync
    await file.writeFile(text);
    await file.sync();
  } finally {
    await file.close();
  }
}
