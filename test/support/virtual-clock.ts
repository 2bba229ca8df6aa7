/** A clock that stands still until a test moves it. */
import type { Clock } from '../../src/domain/clock.ts';

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

  /** How long until the next sleeper wakes; undefined where nobody sleeps. */
  get nextIn(): number | undefined {
    const times = this.#sleepers.map(({ at }) => at - this.#now);
    return times.length === 0 ? undefined : Math.min(...times);
  }

  /** How many sleep. */
  get sleepers(): number {
    return this.#sleepers.length;
  }

  /** Moves on, wakes whoever is due, and lets them do what they do without further sleep. */
  async advance(ms: number): Promise<void> {
    this.#now += ms;
    const due = this.#sleepers.filter(({ at }) => at <= this.#now);
    this.#sleepers = this.#sleepers.filter(({ at }) => at > this.#now);
    for (const { wake } of due) wake();
    await settled();
  }
}

/** Everything that was ready to go on has gone on. */
export function settled(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

/** Until the next one to wake sleeps for so long. */
export async function asleepFor(clock: VirtualClock, ms: number): Promise<void> {
  while (clock.nextIn !== ms) await settled();
}
