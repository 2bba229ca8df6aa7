/**
 * Cleans up after killed processes and deleted directories, for this root only, and finds
 * workspaces outside the root. Cleaning requires the repository's lock.
 */
import { lstat, readdir, readFile, realpath, rm } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import type { IssueId } from '../../core/model/ids.ts';
import { discardFolder } from './create.ts';
import { readIfPresent } from './faults.ts';
import { readMarker } from './inspect.ts';
import {
  ensureStagingFolder,
  formatEntryPrefix,
  linkEntry,
  readWorktreeEntry,
  readWorktreePath,
} from './paths.ts';

/**
 * Resolves to the paths that were removed. If `folder` is set, checks only the entry of that
 * directory, because with hundreds of workspaces, checking all entries would take longer than git
 * needs to create a workspace.
 */
export async function sweepLeftovers(
  root: string,
  common: string,
  folder?: string,
): Promise<readonly string[]> {
  return [...(await sweepEntries(root, common, folder)), ...(await sweepStaging(root, common))];
}

/**
 * Runs before the staging directory is swept, because staging content is useless once no entry
 * refers to it.
 */
async function sweepEntries(root: string, common: string, folder?: string): Promise<readonly string[]> {
  const removed: string[] = [];
  const prefix = formatEntryPrefix(root);
  const staging = await ensureStagingFolder(root, common);
  for (const name of (await readIfPresent(readdir(join(common, 'worktrees')))) ?? []) {
    if (folder === undefined ? !name.startsWith(prefix) : name !== prefix + folder) continue;
    const entry = join(common, 'worktrees', name);
    const path = join(root, name.slice(prefix.length));
    try {
      if (await clearEntry(entry, path, staging)) removed.push(entry);
    } catch (error) {
      // The entry itself is damaged. Only a request for that workspace fails; others are not
      // affected.
      if (folder !== undefined) throw error;
    }
  }
  return removed;
}

/**
 * Returns whether the entry was removed. If only the entry's link to its worktree is missing,
 * restores the link.
 */
async function clearEntry(entry: string, path: string, staging: string): Promise<boolean> {
  if (!(await isOrphaned(entry, staging))) return false;
  if (readWorktreeEntry(path) === entry) {
    await linkEntry(entry, path); // the process was killed right after the rename
    return false;
  }
  await rm(entry, { recursive: true, force: true });
  return true;
}

/**
 * True if the entry refers to no worktree, to an unfinished one, or to one that is gone. If a
 * person moved the worktree elsewhere, its entry is kept.
 */
async function isOrphaned(entry: string, staging: string): Promise<boolean> {
  const named = readWorktreePath(entry);
  if (named === undefined || dirname(named) === staging) return true;
  // `git worktree lock` means that the directory may be on a disk that is currently not mounted.
  return !(await isPathPresent(named)) && !(await isPathPresent(join(entry, 'locked')));
}

async function isPathPresent(path: string): Promise<boolean> {
  return (await readIfPresent(lstat(path))) !== undefined;
}

async function sweepStaging(root: string, common: string): Promise<readonly string[]> {
  const staging = await ensureStagingFolder(root, common);
  const left = (await readdir(staging)).map((name) => join(staging, name));
  for (const path of left) await discardFolder(path);
  return left;
}

export interface MisplacedWorkspace {
  readonly issue: IssueId;
  readonly path: string;
}

/**
 * Finds a legion's workspaces outside its current root. Such workspaces keep the branches of their
 * issues checked out. `common`: the directory that all worktrees of the repository share. `root`:
 * the current root for new workspaces.
 */
export async function findMisplacedWorkspaces(
  common: string,
  legion: string,
  root: string,
): Promise<readonly MisplacedWorkspace[]> {
  const entries = (await readIfPresent(readdir(join(common, 'worktrees')))) ?? [];
  const present = (await readIfPresent(realpath(root))) ?? root;
  const misplaced = await Promise.all(
    entries.map(async (name): Promise<readonly MisplacedWorkspace[]> => {
      const entry = join(common, 'worktrees', name);
      const marker = await readMarker(entry);
      const link = await readIfPresent(readFile(join(entry, 'gitdir'), 'utf8'));
      if (marker?.legion !== legion || link === undefined) return [];
      const path = dirname(resolve(entry, link.trim()));
      // Workspaces being created or removed are below the root too, at a deeper level.
      return path.startsWith(`${present}/`) ? [] : [{ issue: marker.issue, path }];
    }),
  );
  return misplaced.flat();
}
