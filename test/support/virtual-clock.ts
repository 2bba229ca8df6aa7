/** A clock whose time changes only when a test advances it. */
import type { Clock } from '../../src/core/model/clock.ts';

interface Sleeper {
  readonly at: number;
  readonly wake: () => void;
}

export class VirtualClock implements Clock {
  #now = 0;
  #sleepers: Sleeper[] = [];

  now(): number {
    return this.#now;
  }

  monotonic(): number {
    return this.#now;
  }

  sleep(ms: number, signal?: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      if (signal?.aborted === true) {
        reject(signal.reason);
        return;
      }
      const sleeper = { at: this.#now + ms, wake: resolve };
      this.#sleepers.push(sleeper);
      signal?.addEventListener('abort', () => {
        this.#sleepers = this.#sleepers.filter((each) => each !== sleeper);
        reject(signal.reason);
      });
    });
  }

  /** Time until the next sleeper wakes. Undefined if nothing is sleeping. */
  get nextIn(): number | undefined {
    const times = this.#sleepers.map(({ at }) => at - this.#now);
    return times.length === 0 ? undefined : Math.min(...times);
  }

  /** Number of sleepers. */
  get sleepers(): number {
    return this.#sleepers.length;
  }

  /** Advances the time, wakes due sleepers and lets them run until they sleep again. */
  async advance(ms: number): Promise<void> {
    this.#now += ms;
    const due = this.#sleepers.filter(({ at }) => at <= this.#now);
    this.#sleepers = this.#sleepers.filter(({ at }) => at > this.#now);
    for (const { wake } of due) wake();
    await settled();
  }
}

/** Resolves when everything that was ready to run has run. */
export function settled(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

/** Waits until the next sleeper is due to wake in exactly this many milliseconds. */
export async function asleepFor(clock: VirtualClock, ms: number): Promise<void> {
  while (clock.nextIn !== ms) await settled();
}
