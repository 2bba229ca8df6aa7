/** The machine's own clock. */
import { setTimeout } from 'node:timers/promises';
import type { Clock } from '../../domain/clock.ts';

/** Node fires a longer timer at once instead of late: sleeping again is up to whoever needs more than 24 days. */
const LONGEST_TIMER_MS = 2 ** 31 - 1;

export const systemClock: Clock = {
  now: () => Date.now(),
  monotonic: () => performance.now(),
  sleep: (ms, signal) =>
    setTimeout(
      Math.min(Math.max(ms, 0), LONGEST_TIMER_MS),
      undefined,
      signal === undefined ? {} : { signal },
    ),
};
