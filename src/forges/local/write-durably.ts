/** Writes a file so that after any crash either the old or the new content is there, whole. */
import { randomUUID } from 'node:crypto';
import { open, rename, unlink } from 'node:fs/promises';
import { dirname } from 'node:path';
import { LegionError } from '../../domain/fault.ts';

/** Ends the name of a file that is being written; one that is old was left by a crash. */
export const UNFINISHED = '.unfinished';

/** Pull requests and logs are for the user Legion runs as. */
const FILE_MODE = 0o600;

export async function writeDurably(path: string, text: string): Promise<void> {
  const unfinished = `${path}.${randomUUID()}${UNFINISHED}`;
  try {
    await writeAndSync(unfinished, text);
    await rename(unfinished, path);
    await syncFolder(dirname(path));
  } catch (error) {
    await unlink(unfinished).catch(() => {});
    throw unavailable(path, error);
  }
}

export function unavailable(path: string, error: unknown): LegionError {
  const why = error instanceof Error ? error.message : String(error);
  return new LegionError('forge.unavailable', `${path}: ${why}`, { cause: error });
}

async function writeAndSync(path: string, text: string): Promise<void> {
  const file = await open(path, 'wx', FILE_MODE);
  try {
    await file.writeFile(text);
    await file.sync();
  } finally {
    await file.close();
  }
}

/** The new name is durable only when its folder is. */
async function syncFolder(path: string): Promise<void> {
  const folder = await open(path, 'r');
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
}
