/** Finds the outboxes of all attempts and the messages in them; nothing here follows a link out of the state folder. */
import type { Dirent } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { isOutboxEntryName } from '../../protocol/outbox.ts';

/** In each outbox: what could never be taken in. */
export const ASIDE = 'refused';

/** Folders within folders: a worker's, its attempts', and one to spare; a worker could nest them without end. */
const DEPTH_MOST = 3;
/** Messages of one outbox in one go. A worker keeps a handful; the rest of more waits for the next reading. */
const MAX_ENTRIES_AT_ONCE = 1_000;

export interface FoundOutbox {
  readonly folder: string;
  /** Messages wait in it, or it cannot be read: whoever takes it in finds out. */
  readonly needsReading: boolean;
  readonly hasSetAside: boolean;
}

/** Every folder below `root`, each after those in it; the order of their names otherwise. */
export async function outboxesBelow(root: string): Promise<FoundOutbox[]> {
  return foldersIn(await listed(root), root, DEPTH_MOST);
}

async function foldersIn(entries: readonly Dirent[], within: string, depth: number): Promise<FoundOutbox[]> {
  const found: FoundOutbox[] = [];
  for (const entry of entries) {
    if (!entry.isDirectory() || entry.name === ASIDE || isOutboxEntryName(entry.name)) continue;
    const folder = join(within, entry.name);
    // A folder that a worker has locked must not hide the messages of all the others.
    const content = await listed(folder).catch(() => undefined);
    if (depth > 1 && content !== undefined) found.push(...(await foldersIn(content, folder, depth - 1)));
    found.push({
      folder,
      needsReading: content?.some(({ name }) => isOutboxEntryName(name)) ?? true,
      hasSetAside: content?.some(({ name }) => name === ASIDE) ?? false,
    });
  }
  return found;
}

export interface OutboxEntries {
  /** In the order they were kept. Whatever has another name is no message. */
  readonly names: readonly string[];
  /** There are more, which wait for the next reading. */
  readonly hasMore: boolean;
}

export async function readOutbox(folder: string): Promise<OutboxEntries> {
  const names = (await listed(folder)).map(({ name }) => name).filter(isOutboxEntryName);
  return { names: names.slice(0, MAX_ENTRIES_AT_ONCE), hasMore: names.length > MAX_ENTRIES_AT_ONCE };
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
