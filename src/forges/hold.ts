/** Keeps other processes away from a repository's records while they change. */

import { LegionError } from '../core/model/fault.ts';
import type { Clock } from '../domain/clock.ts';
import { acquireFileLock } from '../lib/process/file-lock.ts';
import { unavailable } from './faults.ts';

/** A merge takes well below a second, a fetch from a clone on the same disk some; after this somebody is stuck. */
const HOLD_WAIT_MS = 30_000;

/** Short against a merge, long against a look. */
const HOLD_POLL_MS = 20;

/** Rejects with `forge.busy` and the holder's name after 30 s of waiting; releases the lock whatever comes of the work. */
export async function whileHeld<T>(path: string, clock: Clock, work: () => Promise<T>): Promise<T> {
  const rename = (error: unknown) => {
    throw error instanceof LegionError ? error : unavailable(path, error);
  };
  const lock = await acquireFileLock(path, {
    clock,
    timeoutMs: HOLD_WAIT_MS,
    pollMs: HOLD_POLL_MS,
    busy: (message) => new LegionError('forge.busy', message),
  }).catch(rename);
  try {
    return await work();
  } finally {
    await lock.release().catch(rename);
  }
}
