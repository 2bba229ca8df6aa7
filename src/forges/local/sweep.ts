/** Removes what crashes left in the state folder, and what nobody will ask for again. */
import { readdir, stat, unlink } from 'node:fs/promises';
import { join } from 'node:path';
import { UNFINISHED } from '../../lib/fs/atomic-write.ts';

/** A write takes milliseconds: an unfinished file of this age belongs to nobody. */
const UNFINISHED_MS = 60 * 60_000;

/** A pull request is seldom open for longer; its CI would simply be run again. */
const KEEP_CI_MS = 90 * 24 * 60 * 60_000;

export async function sweep(recordFolder: string, ciFolder: string, now: number): Promise<void> {
  await removeOld(recordFolder, UNFINISHED, now - UNFINISHED_MS);
  await removeOld(ciFolder, UNFINISHED, now - UNFINISHED_MS);
  await removeOld(ciFolder, '.json', now - KEEP_CI_MS);
}

async function removeOld(folder: string, ending: string, before: number): Promise<void> {
  for (const name of await readdir(folder)) {
    if (!name.endsWith(ending)) continue;
    const path = join(folder, name);
    const found = await stat(path).catch(() => undefined);
    if (found !== undefined && found.mtimeMs < before) await unlink(path).catch(() => {});
  }
}
