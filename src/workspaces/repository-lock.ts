/** The lock under which workspaces of one repository are created and removed, across processes. */
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { LegionError } from '../core/model/fault.ts';
import { systemClock } from '../lib/async/system-clock.ts';
import { acquireFileLock } from '../lib/process/file-lock.ts';

/**
 * Creating a workspace requires a checkout. Ten large checkouts in a row take less than this, so a
 * longer wait means that the holder is stuck.
 */
const LOCK_TIMEOUT_MS = 600_000;
/**
 * Poll interval. Short compared with creating a workspace (about 50 ms for a small repository),
 * long compared with a check (below 1 ms).
 */
const LOCK_POLL_MS = 10;
/**
 * After this time, a holder that cannot be checked (another machine, no proc file system) has
 * certainly ended, because git calls are limited to minutes.
 */
const UNKNOWN_HOLDER_MS = 3_600_000;

/**
 * Runs `work` while holding the lock, and passes the lock's file descriptor to it. A child process
 * that inherits the descriptor keeps the lock even if this process is killed.
 */
export async function withRepositoryLockFile<T>(
  folder: string,
  timeoutMs: number | undefined,
  work: (keepOpen: number) => Promise<T>,
): Promise<T> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const lock = await acquireFileLock(join(folder, 'held'), {
    clock: systemClock,
    timeoutMs: timeoutMs ?? LOCK_TIMEOUT_MS,
    pollMs: LOCK_POLL_MS,
    unknownHolderMs: UNKNOWN_HOLDER_MS,
    busy: (message) => new LegionError('workspace.busy', message),
  });
  try {
    return await work(lock.fd);
  } finally {
    await lock.release();
  }
}
