/**
 * Locks a file against all other processes. The lock file contains the identity of its holder, and
 * the holder keeps the file open. A child that inherits the descriptor keeps the lock even after
 * its parent is killed. Exactly one waiter takes over the lock of a dead process.
 */
import { randomUUID } from 'node:crypto';
import { link, open, readdir, readFile, rm, stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { z } from 'zod';
import type { Clock } from '../../core/model/clock.ts';
import { PRIVATE_FILE_MODE, UNFINISHED_SUFFIX } from '../fs/atomic-write.ts';
import { parseJson } from '../json.ts';
import { identifyThisProcess, isHeldOpen, judgeProcess } from './proc-table.ts';

/**
 * Pause after a release while others are waiting. Longer than a poll interval, so that other
 * processes get a turn even if this process has a long queue.
 */
const COURTESY_MS = 15;

export interface FileLockOptions {
  readonly clock: Pick<Clock, 'monotonic' | 'sleep'>;
  readonly timeoutMs: number;
  /**
   * Poll interval. Should be short compared with the work under the lock, and long compared with
   * one check (below 1 ms).
   */
  readonly pollMs: number;
  /**
   * Age at which a lock is considered abandoned if its holder cannot be checked, for example
   * because the holder is on another machine. If absent, such a lock is never considered abandoned.
   */
  readonly unknownHolderMs?: number;
  /** Creates the error for a lock that could not be acquired in time. */
  readonly busy: (message: string) => Error;
}

export interface FileLock {
  /** Descriptor of the lock, to be inherited by child processes that work under the lock. */
  readonly fd: number;
  release(): Promise<void>;
}

const holderSchema = z.object({
  token: z.uuid(),
  machine: z.string(),
  pid: z.int().positive(),
  started: z.string(),
});

type LockHolder = z.infer<typeof holderSchema>;

/**
 * Represents the unknown holder of a lock file that a power cut left behind. A lock file created by
 * a live process always contains its holder.
 */
const UNREADABLE_HOLDER = 'unreadable';

/** Waits for the lock. Rejects with `busy` or with the file system's error. */
export async function acquireFileLock(path: string, options: FileLockOptions): Promise<FileLock> {
  const { clock, timeoutMs, pollMs, unknownHolderMs, busy } = options;
  const claim = await openLockClaim(path);
  try {
    for (const deadline = clock.monotonic() + timeoutMs; ; await clock.sleep(pollMs)) {
      const holder = await takeLock(path, claim, unknownHolderMs);
      if (holder === 'taken') break;
      if (clock.monotonic() >= deadline) {
        const holderName =
          typeof holder === 'object' ? `process ${holder.pid} on ${holder.machine}` : 'an unknown process';
        throw busy(`${path} has been held by ${holderName} for more than ${timeoutMs} ms`);
      }
    }
    await clearLeftovers(path, claim.token);
  } catch (error) {
    await claim.close();
    throw error;
  }
  return {
    fd: claim.fd,
    async release() {
      await releaseOwn(path, claim.token);
      await claim.close();
      if ((await listLeftovers(path)).length > 0) await clock.sleep(COURTESY_MS);
    },
  };
}

/** Returns undefined if another process holds the lock. */
export async function tryFileLock(path: string): Promise<Pick<FileLock, 'release'> | undefined> {
  const claim = await openLockClaim(path);
  try {
    if ((await takeLock(path, claim)) !== 'taken') return undefined;
  } finally {
    await claim.close();
  }
  return { release: () => releaseOwn(path, claim.token) };
}

interface LockClaim {
  readonly token: string;
  readonly path: string;
  readonly fd: number;
  close(): Promise<void>;
}

/** Writes the claim before linking it, because a lock must always identify its holder. */
async function openLockClaim(lock: string): Promise<LockClaim> {
  const token = randomUUID();
  const path = `${lock}.${token}${UNFINISHED_SUFFIX}`;
  const file = await open(path, 'wx', PRIVATE_FILE_MODE);
  const close = async () => {
    await file.close();
    await rm(path, { force: true });
  };
  try {
    const holder: LockHolder = { token, ...identifyThisProcess() };
    await file.writeFile(JSON.stringify(holder));
  } catch (error) {
    await close();
    throw error;
  }
  return { token, path, fd: file.fd, close };
}

/** Returns `taken`, or the current holder. Undefined if the lock was just released. */
async function takeLock(
  path: string,
  claim: LockClaim,
  unknownHolderMs?: number,
): Promise<'taken' | typeof UNREADABLE_HOLDER | LockHolder | undefined> {
  if (await tryLink(path, claim)) return 'taken';
  const holder = await readHolder(path);
  if (holder === undefined || !(await isHolderGone(path, holder, unknownHolderMs))) return holder;
  await removeDeadLock(path, holder, claim, unknownHolderMs);
  return (await tryLink(path, claim)) ? 'taken' : holder;
}

async function tryLink(path: string, claim: LockClaim): Promise<boolean> {
  try {
    await link(claim.path, path);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  }
}

/**
 * Removes the lock of a dead holder. Two waiters that find the same dead holder must not both
 * remove its lock, because the slower one would remove the new lock of the faster one. So removing
 * a lock requires a second lock, named after the dead holder's token, and under it the first lock
 * is read again.
 */
async function removeDeadLock(
  path: string,
  dead: LockHolder | typeof UNREADABLE_HOLDER,
  claim: LockClaim,
  unknownHolderMs: number | undefined,
): Promise<void> {
  const removalLock = `${path}.${getHolderToken(dead)}`;
  if ((await takeLock(removalLock, claim, unknownHolderMs)) !== 'taken') return;
  const holder = await readHolder(path);
  if (holder !== undefined && getHolderToken(holder) === getHolderToken(dead))
    await rm(path, { force: true });
  await rm(removalLock, { force: true });
}

async function isHolderGone(
  path: string,
  holder: LockHolder | typeof UNREADABLE_HOLDER,
  unknownHolderMs = Number.POSITIVE_INFINITY,
): Promise<boolean> {
  if (holder === UNREADABLE_HOLDER) return true;
  const state = judgeProcess(holder);
  if (state === 'alive') return false;
  const isInherited = state === 'dead' ? isHeldOpen(holder.token) : 'unknown';
  if (isInherited !== 'unknown') return !isInherited;
  const stats = await stat(path).catch(() => undefined);
  return stats !== undefined && Date.now() - stats.mtimeMs > unknownHolderMs;
}

/**
 * Leaves the lock alone if another process has taken it over. This happens if that process could
 * not check whether this process is still alive.
 */
async function releaseOwn(path: string, token: string): Promise<void> {
  const holder = await readHolder(path);
  if (holder !== undefined && getHolderToken(holder) === token) await rm(path, { force: true });
}

/**
 * Removes leftovers of killed waiters. Only the lock's holder does this, so that a removal lock
 * that is in use is never removed.
 */
async function clearLeftovers(path: string, ownToken: string): Promise<void> {
  for (const name of await listLeftovers(path)) {
    if (name.includes(ownToken)) continue;
    const file = join(dirname(path), name);
    const holder = await readHolder(file);
    // A file without a holder's name was left by a process that was killed before writing it. A
    // live process would still have the file open.
    const isLeft = typeof holder === 'object' ? judgeProcess(holder) === 'dead' : isHeldOpen(name) === false;
    if (isLeft) await rm(file, { force: true });
  }
}

async function listLeftovers(path: string): Promise<readonly string[]> {
  const names = await readdir(dirname(path));
  return names.filter((name) => name.startsWith(`${basename(path)}.`));
}

function getHolderToken(holder: LockHolder | typeof UNREADABLE_HOLDER): string {
  return holder === UNREADABLE_HOLDER ? UNREADABLE_HOLDER : holder.token;
}

async function readHolder(path: string): Promise<LockHolder | typeof UNREADABLE_HOLDER | undefined> {
  let text: string;
  try {
    text = await readFile(path, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
  return holderSchema.safeParse(parseJson(text)).data ?? UNREADABLE_HOLDER;
}
