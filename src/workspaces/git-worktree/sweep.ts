/** Makes good what kills and deleted folders left behind, of this root only; for the holder of the repository's lock. */
import { lstat, readdir, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { discard } from './discard.ts';
import { unlessAbsent } from './faults.ts';
import { entryOf, linkTo, worktreeOf } from './links.ts';
import { entryPrefix, stagingFolder } from './place.ts';

/**
 * Resolves to what was removed. With a `folder` only its own entry is looked at: with hundreds of workspaces a look at all of
 * them would cost each new one more than git does.
 */
export async function sweep(root: string, common: string, folder?: string): Promise<readonly string[]> {
  return [...(await sweepEntries(root, common, folder)), ...(await sweepStaging(root, common))];
}

/** Entries first: what lies in staging is of no use to anybody once no entry names it. */
async function sweepEntries(root: string, common: string, folder?: string): Promise<readonly string[]> {
  const removed: string[] = [];
  const prefix = entryPrefix(root);
  const staging = await stagingFolder(root, common);
  for (const name of (await unlessAbsent(readdir(join(common, 'worktrees')))) ?? []) {
    if (folder === undefined ? !name.startsWith(prefix) : name !== prefix + folder) continue;
    const entry = join(common, 'worktrees', name);
    const path = join(root, name.slice(prefix.length));
    try {
      if (await cleared(entry, path, staging)) removed.push(entry);
    } catch (error) {
      // One that is broken in itself: whoever asks for it is told so, and nobody else need wait for that.
      if (folder !== undefined) throw error;
    }
  }
  return removed;
}

/** Whether the entry was removed; one that lacks only its way back gets that. */
async function cleared(entry: string, path: string, staging: string): Promise<boolean> {
  if (!(await isAdrift(entry, staging))) return false;
  if (entryOf(path) === entry) {
    await linkTo(entry, path); // the kill came right after the rename
    return false;
  }
  await rm(entry, { recursive: true, force: true });
  return true;
}

/** Names no worktree, one that was never finished, or one that is gone. A person may have moved one elsewhere: it stays. */
async function isAdrift(entry: string, staging: string): Promise<boolean> {
  const named = worktreeOf(entry);
  if (named === undefined || dirname(named) === staging) return true;
  // `git worktree lock` says that the folder may be on a disk that is not there at the moment.
  return !(await isThere(named)) && !(await isThere(join(entry, 'locked')));
}

async function isThere(path: string): Promise<boolean> {
  return (await unlessAbsent(lstat(path))) !== undefined;
}

async function sweepStaging(root: string, common: string): Promise<readonly string[]> {
  const staging = await stagingFolder(root, common);
  const left = (await readdir(staging)).map((name) => join(staging, name));
  for (const path of left) await discard(path);
  return left;
}
