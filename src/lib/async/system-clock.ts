/** The machine's clock. */
import { setTimeout } from 'node:timers/promises';
import type { Clock } from '../../core/model/clock.ts';

/** 24 days. Node fires a longer timer immediately, so longer waits must sleep repeatedly. */
export const MAX_TIMER_MS = 2 ** 31 - 1;

export const systemClock: Clock = {
  now: () => Date.now(),
  monotonic: () => performance.now(),
  sleep: (ms, signal) =>
    setTimeout(Math.min(Math.max(ms, 0), MAX_TIMER_MS), undefined, signal === undefined ? {} : { signal }),
};
