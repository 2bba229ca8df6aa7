/** Removes lock files of a killed git, but only if no running process can have created them. */
import { lstatSync, readdirSync } from 'node:fs';
import { lstat, rm } from 'node:fs/promises';
import { join, normalize } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { LegionError } from '../../core/model/fault.ts';
import {
  hasEnded,
  hasPid,
  isHeldOpen,
  listPids,
  readLink,
  readProcFile,
  readStat,
} from '../../lib/process/proc-table.ts';
import { readIfPresent, readIfPresentSync } from './faults.ts';
import type { OwnWorktree } from './inspect.ts';

/** Git holds a branch's lock for milliseconds. A holder that exceeds this is stuck or dead. */
const LOCK_SETTLED_MS = 2_000;
/** Repeats the check, because an unrelated git on a busy machine may run that long. */
const MAX_LOCK_CHECKS = 3;

/**
 * Runs `work`, and retries it if one of the locks in `mayRemove` blocks git. Before a retry,
 * removes the lock if only a dead git can have created it.
 */
export async function runDespiteDeadLocks<T>(
  mayRemove: readonly string[],
  work: () => Promise<T>,
): Promise<T> {
  for (let check = 1; ; check += 1) {
    try {
      return await work();
    } catch (error) {
      const lock = extractLockPath(error);
      if (lock === undefined || !mayRemove.includes(lock) || check > MAX_LOCK_CHECKS) throw error;
      await removeIfDead(lock);
    }
  }
}

/**
 * Removes the locks of a worker that was killed while running git. Otherwise nothing in its
 * workspace could be committed.
 */
export async function clearDeadLocks({ entry, common, workspace }: OwnWorktree): Promise<void> {
  const names = readIfPresentSync(() => readdirSync(entry)) ?? [];
  const locks = names.filter((name) => name.endsWith('.lock'));
  // Only a git process that works on this workspace can have created these locks. Other git
  // processes, such as one that waits in a pager elsewhere, are ignored.
  const inEntry = locks.map((name) => removeIfDead(join(entry, name), [workspace.path, entry]));
  const branchLock = join(common, `refs/heads/${workspace.branch}.lock`);
  const isLocked = lstatSync(branchLock, { throwIfNoEntry: false }) !== undefined;
  await Promise.all([...inEntry, ...(isLocked ? [removeIfDead(branchLock)] : [])]);
}

/**
 * Removes the lock if it stays unchanged and is not open in any process, unless a git process that
 * may hold it is running at both checks. If processes cannot be listed, nothing is removed.
 */
async function removeIfDead(lock: string, folders?: readonly string[]): Promise<void> {
  const before = await readIfPresent(lstat(lock));
  const possible = listRunningGits(folders);
  await sleep(LOCK_SETTLED_MS);
  const after = await readIfPresent(lstat(lock));
  const untouched = before !== undefined && before.ino === after?.ino && before.mtimeMs === after.mtimeMs;
  const now = listRunningGits(folders);
  if (!untouched || possible === undefined || now === undefined || isHeldOpen(lock) !== false) return;
  if (![...possible].some((git) => now.has(git))) await rm(lock, { force: true });
}

function extractLockPath(error: unknown): string | undefined {
  if (!(error instanceof LegionError) || error.code !== 'git.locked') return undefined;
  const path = /Unable to create '([^']+\.lock)': File exists/.exec(error.message)?.[1];
  return path === undefined ? undefined : normalize(path); // git may write "/./" into the path
}

/**
 * Lists the running git processes, each identified by pid and start time. Undefined without a proc
 * file system. With `folders`, lists only those that could work in one of these directories.
 */
function listRunningGits(folders?: readonly string[]): ReadonlySet<string> | undefined {
  if (readStat(process.pid) === undefined) return undefined;
  const gits = listPids().flatMap((pid) => {
    if (readProcFile(pid, 'comm')?.startsWith('git') !== true) return [];
    const stat = readStat(pid);
    if (stat === undefined || hasEnded(stat) || isReadOnlyGit(pid)) return [];
    if (folders !== undefined && !folders.some((folder) => canConcernFolder(pid, folder))) return [];
    return [`${pid} ${stat.ticks}`];
  });
  return new Set(gits);
}

/**
 * A git process works in its current directory, or where its arguments or environment point. A
 * process that cannot be read may work anywhere.
 */
function canConcernFolder(pid: number, folder: string): boolean {
  const sources = [readProcFile(pid, 'cmdline'), readProcFile(pid, 'environ')];
  const cwd = readLink(`/proc/${pid}/cwd`);
  if (cwd === undefined) return hasPid(pid);
  if (`${cwd}/`.startsWith(`${folder}/`)) return true;
  return sources.some((text) => text === undefined || text.includes(folder));
}

/**
 * Returns whether this git only looks up objects and therefore locks no reference. A forge keeps
 * such a process open.
 */
function isReadOnlyGit(pid: number): boolean {
  const words = readProcFile(pid, 'cmdline')?.split('\0') ?? [];
  return words.includes('cat-file') && words.some((word) => word.startsWith('--batch-check'));
}
