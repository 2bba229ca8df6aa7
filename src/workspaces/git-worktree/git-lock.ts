/** Lock files of git that a killed git left behind: removed when nobody alive can have made them, and only then. */
import { lstatSync, readdirSync } from 'node:fs';
import { lstat, rm } from 'node:fs/promises';
import { join, normalize } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { LegionError } from '../../core/model/fault.ts';
import { isHeldOpen } from '../../lib/process/identity.ts';
import {
  hasEnded,
  hasPid,
  listPids,
  readLink,
  readProcFile,
  readStat,
} from '../../lib/process/proc-table.ts';
import { readUnlessAbsent, unlessAbsent } from './faults.ts';
import type { Ours } from './inspect.ts';

/** Git holds the lock of a branch for milliseconds; who still holds it after this is stuck, or dead. */
const SETTLED_MS = 2_000;
/** On a busy machine some git that has nothing to do with it may live that long: then once more. */
const LOOKS = 3;

/** Does `work` once more where a lock was in the way that is gone by then, or that only a dead git can have made. */
export async function despiteDeadLocks<T>(mayRemove: readonly string[], work: () => Promise<T>): Promise<T> {
  for (let look = 1; ; look += 1) {
    try {
      return await work();
    } catch (error) {
      const lock = lockIn(error);
      if (lock === undefined || !mayRemove.includes(lock) || look > LOOKS) throw error;
      await removeIfDead(lock);
    }
  }
}

/** What a worker that was killed amidst its git has left in its workspace: there, nothing could be committed any more. */
export async function clearDeadLocks({ entry, common, workspace }: Ours): Promise<void> {
  const names = readUnlessAbsent(() => readdirSync(entry)) ?? [];
  const locks = names.filter((name) => name.endsWith('.lock'));
  // Only a git that is about this workspace can have made them; one that waits in a pager elsewhere has not.
  const inEntry = locks.map((name) => removeIfDead(join(entry, name), [workspace.path, entry]));
  const ofBranch = join(common, `refs/heads/${workspace.branch}.lock`);
  const isLocked = lstatSync(ofBranch, { throwIfNoEntry: false }) !== undefined;
  await Promise.all([...inEntry, ...(isLocked ? [removeIfDead(ofBranch)] : [])]);
}

/** Whoever holds it is alive now and will be then. Where no process can be looked at, nothing is removed. */
async function removeIfDead(lock: string, about?: readonly string[]): Promise<void> {
  const before = await unlessAbsent(lstat(lock));
  const possible = runningGits(about);
  await sleep(SETTLED_MS);
  const after = await unlessAbsent(lstat(lock));
  const untouched = before !== undefined && before.ino === after?.ino && before.mtimeMs === after.mtimeMs;
  const now = runningGits(about);
  if (!untouched || possible === undefined || now === undefined || isHeldOpen(lock) !== false) return;
  if (![...possible].some((git) => now.has(git))) await rm(lock, { force: true });
}

function lockIn(error: unknown): string | undefined {
  if (!(error instanceof LegionError) || error.code !== 'git.locked') return undefined;
  const path = /Unable to create '([^']+\.lock)': File exists/.exec(error.message)?.[1];
  return path === undefined ? undefined : normalize(path); // git writes "/./" into it
}

/**
 * Each by pid and start; undefined without a proc file system. With `about` only those that could work in one of these
 * folders.
 */
function runningGits(about?: readonly string[]): ReadonlySet<string> | undefined {
  if (readStat(process.pid) === undefined) return undefined;
  const gits = listPids().flatMap((pid) => {
    if (readProcFile(pid, 'comm')?.startsWith('git') !== true) return [];
    const stat = readStat(pid);
    if (stat === undefined || hasEnded(stat) || onlyReads(pid)) return [];
    if (about !== undefined && !about.some((folder) => mayConcern(pid, folder))) return [];
    return [`${pid} ${stat.ticks}`];
  });
  return new Set(gits);
}

/** A git works where it stands, or where its arguments or its environment say; one that may not be read could do anything. */
function mayConcern(pid: number, folder: string): boolean {
  const told = [readProcFile(pid, 'cmdline'), readProcFile(pid, 'environ')];
  const cwd = readLink(`/proc/${pid}/cwd`);
  if (cwd === undefined) return hasPid(pid);
  if (`${cwd}/`.startsWith(`${folder}/`)) return true;
  return told.some((text) => text === undefined || text.includes(folder));
}

/** A forge keeps such a git for its questions as long as it is open; it locks no reference. */
function onlyReads(pid: number): boolean {
  const words = readProcFile(pid, 'cmdline')?.split('\0') ?? [];
  return words.includes('cat-file') && words.some((word) => word.startsWith('--batch-check'));
}
