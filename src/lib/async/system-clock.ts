/** The machine's own clock. */
import { setTimeout } from 'node:timers/promises';
import type { Clock } from '../../domain/clock.ts';

/** 24 days. Node fires a longer timer at once instead of late, so longer waits must sleep again. */
export const MAX_TIMER_MS = 2 ** 31 - 1;

export const systemClock: Clock = {
  now: () => Date.now(),
  monotonic: () => performance.now(),
  sleep: (ms, signal) =>
    setTimeout(Math.min(Math.max(ms, 0), MAX_TIMER_MS), undefined, signal === undefined ? {} : { signal }),
};
