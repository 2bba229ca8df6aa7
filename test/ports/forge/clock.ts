/** The machine's clock, which a test may move forward or back. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Clock } from '../../../src/core/model/clock.ts';

export interface SettableClock extends Clock {
  advance(ms: number): void;
}

export function settableClock(): SettableClock {
  let ahead = 0;
  return {
    now: () => Date.now() + ahead,
    monotonic: () => performance.now(),
    sleep: (ms, signal) => sleep(ms, undefined, signal === undefined ? {} : { signal }),
    advance: (ms) => {
      ahead += ms;
    },
  };
}
