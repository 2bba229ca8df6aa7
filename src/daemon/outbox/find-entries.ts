/** Finds the outboxes of all attempts and the messages in them; nothing here follows a link out of the state folder. */
import type { Dirent } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { isOutboxEntryName } from '../../protocol/outbox.ts';

/** In each outbox: what could never be taken in. */
export const ASIDE = 'refused';

/** Folders within folders: a worker's, its attempts', and one to spare; a worker could nest them without end. */
const DEPTH_MOST = 3;
/** Messages of one outbox in one go. A worker keeps a handful; whoever left more waits for the next pass with the rest. */
const AT_ONCE = 1_000;

/** Also folders in which nothing waits, and those that cannot be read: whoever takes them in finds out, one by one. */
export async function outboxesBelow(root: string): Promise<string[]> {
  return foldersIn(await listed(root), root, DEPTH_MOST);
}

async function foldersIn(entries: readonly Dirent[], within: string, depth: number): Promise<string[]> {
  const found: string[] = [];
  for (const entry of entries) {
    if (!entry.isDirectory() || entry.name === ASIDE || isOutboxEntryName(entry.name)) continue;
    const folder = join(within, entry.name);
    found.push(folder);
    // One that a worker has locked up must not keep the words of all the others from us.
    if (depth > 1) found.push(...(await foldersIn(await listed(folder).catch(() => []), folder, depth - 1)));
  }
  return found;
}

/** In the order they were kept. Whatever has another name is no message. */
export async function entriesIn(folder: string): Promise<string[]> {
  const names = (await listed(folder)).map(({ name }) => name).filter(isOutboxEntryName);
  return names.sort().slice(0, AT_ONCE);
}

/** Empty where the folder is not there: nobody has kept anything yet, or it was cleaned up meanwhile. */
async function listed(folder: string): Promise<Dirent[]> {
  try {
    const entries = await readdir(folder, { withFileTypes: true });
    return entries.sort((one, other) => (one.name < other.name ? -1 : 1));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
    throw error;
  }
}
