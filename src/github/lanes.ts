/** Who may talk to GitHub when: writes one after another, reads a few at once. */
import type { Clock } from '../domain/clock.ts';

/** GitHub asks for one request after another; a few at once keep a page of logs from holding up the board. */
const READS_AT_ONCE = 4;

/**
 * GitHub's own advice is a second between writes; 60 a minute stay below its 80 a minute that create content. A board's
 * ordinary hour has fewer writes than that, so nobody waits but after a burst.
 */
const WRITE_SPACING_MS = 1_000;

export interface Lanes {
  read<T>(work: () => Promise<T>, signal: AbortSignal | undefined): Promise<T>;
  write<T>(work: () => Promise<T>, signal: AbortSignal | undefined): Promise<T>;
}

export interface LaneOptions {
  readonly clock: Clock;
  readonly writeSpacingMs?: number | undefined;
  /** Aborted, nobody waits between writes any more. */
  readonly closing: AbortSignal;
}

export function openLanes({ clock, closing, writeSpacingMs = WRITE_SPACING_MS }: LaneOptions): Lanes {
  const reads = openLane(READS_AT_ONCE);
  const writes = openLane(1);
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

/** In the order of asking; who gives up while waiting leaves the queue. */
function openLane(width: number): Lanes['read'] {
  const waiting: (() => void)[] = [];
  let inside = 0;

  function enter(signal: AbortSignal | undefined): Promise<void> {
    signal?.throwIfAborted();
    if (inside < width) {
      inside += 1;
      return Promise.resolve();
    }
    return new Promise((resolve, reject) => {
      const turn = () => {
        signal?.removeEventListener('abort', leave);
        resolve();
      };
      const leave = () => {
        waiting.splice(waiting.indexOf(turn), 1);
        reject(signal?.reason as Error);
      };
      waiting.push(turn);
      signal?.addEventListener('abort', leave, { once: true });
    });
  }

  return async (work, signal) => {
    await enter(signal);
    try {
      return await work();
    } finally {
      // A place is handed on, never given back while somebody waits: nobody can slip in between.
      const next = waiting.shift();
      if (next === undefined) inside -= 1;
      else next();
    }
  };
}
