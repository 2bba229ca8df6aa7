/** Who may talk to GitHub when: writes one after another, reads a few at once. */
import type { Clock } from '../domain/clock.ts';
import { createSemaphore, type Semaphore } from '../lib/async/semaphore.ts';

/** GitHub asks for one request after another; a few at once keep a page of logs from holding up the board. */
const READS_AT_ONCE = 4;

/**
 * GitHub's own advice is a second between writes; 60 a minute stay below its 80 a minute that create content. A board's
 * ordinary hour has fewer writes than that, so nobody waits but after a burst.
 */
const WRITE_SPACING_MS = 1_000;

export interface Lanes {
  readonly read: Semaphore;
  readonly write: Semaphore;
}

export interface LaneOptions {
  readonly clock: Clock;
  readonly writeSpacingMs?: number | undefined;
  /** Aborted, nobody waits between writes any more. */
  readonly closing: AbortSignal;
}

export function openLanes({ clock, closing, writeSpacingMs = WRITE_SPACING_MS }: LaneOptions): Lanes {
  const reads = createSemaphore(READS_AT_ONCE);
  const writes = createSemaphore(1);
  let mayWriteAt = Number.NEGATIVE_INFINITY;

  async function spaced(signal: AbortSignal | undefined): Promise<void> {
    const wait = mayWriteAt - clock.monotonic();
    if (wait > 0) {
      const ended = AbortSignal.any(signal === undefined ? [closing] : [closing, signal]);
      // A sleep that was ended says so in its own words; the signal's are the ones to tell.
      await clock.sleep(wait, ended).catch(() => ended.throwIfAborted());
    }
    mayWriteAt = clock.monotonic() + writeSpacingMs;
  }

  return {
    read: reads,
    write: (work, signal) =>
      writes(async () => {
        await spaced(signal);
        return work();
      }, signal),
  };
}
