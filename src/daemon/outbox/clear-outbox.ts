/** Removes what is left of an outbox once its attempt is over. */
import { rm, rmdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { ASKED_FLAG, DONE_FLAG } from '../../protocol/outbox.ts';

/** An attempt that was declared over may still be writing; so long after its last change nobody is. */
const UNCHANGED_FOR_MS = 60 * 60_000;

/** Anything else than flags keeps the folder. Never rejects: a folder that stays costs a reading now and then. */
export async function clearOutbox(folder: string, now: number): Promise<void> {
  try {
    if (now - (await stat(folder)).mtimeMs < UNCHANGED_FOR_MS) return;
    await rm(join(folder, DONE_FLAG), { force: true });
    await rm(join(folder, ASKED_FLAG), { force: true });
    await rmdir(folder);
  } catch {
    // Something else lies in it, or somebody else was faster.
  }
}
