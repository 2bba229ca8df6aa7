/** Time that passes only when nothing is left to do: the simulated world's one clock. */
import type { Clock } from '../domain/clock.ts';

/** 2026-01-01, so that times read as times. */
const BEGINNING = 1_767_225_600_000;

interface Timer {
  readonly at: number;
  readonly serial: number;
  readonly ring: () => void;
}

export class Time {
  #elapsed = 0;
  /** What somebody has set the machine's clock ahead or back by. */
  #offset = 0;
  #serial = 0;
  /** A binary heap by time, then by who came first. */
  readonly #timers: Timer[] = [];

  get elapsed(): number {
    return this.#elapsed;
  }

  now(): number {
    return BEGINNING + this.#elapsed + this.#offset;
  }

  jump(ms: number): void {
    this.#offset += ms;
  }

  /** Returns the way to take it back. */
  after(ms: number, ring: () => void): () => void {
    this.#serial += 1;
    let taken = false;
    const timer = {
      at: this.#elapsed + Math.max(0, ms),
      serial: this.#serial,
      ring: () => {
        if (!taken) ring();
      },
    };
    push(this.#timers, timer);
    return () => {
      taken = true;
    };
  }

  sleep(ms: number): Promise<void> {
    return new Promise((resolve) => this.after(ms, resolve));
  }

  /** Rings one timer after the other until `isOver` says so, or nothing is left to happen before `until`. */
  async pass(until: number, isOver: () => boolean): Promise<void> {
    for (;;) {
      await idle();
      if (isOver()) return;
      const [next] = this.#timers;
      if (next === undefined || next.at > until) {
        this.#elapsed = Math.max(this.#elapsed, until);
        return;
      }
      pop(this.#timers);
      this.#elapsed = next.at;
      next.ring();
    }
  }
}

/** A daemon's or an agent's view of time; whoever is dead sleeps for ever. */
export function clockOf(time: Time, isAlive: () => boolean): Clock {
  return {
    now: () => time.now(),
    monotonic: () => time.elapsed,
    sleep: (ms, signal) =>
      new Promise((resolve, reject) => {
        if (signal?.aborted === true) {
          reject(signal.reason);
          return;
        }
        const takeBack = time.after(ms, () => {
          signal?.removeEventListener('abort', onAbort);
          if (isAlive()) resolve();
        });
        const onAbort = () => {
          takeBack();
          if (isAlive()) reject(signal?.reason);
        };
        signal?.addEventListener('abort', onAbort, { once: true });
      }),
  };
}

/** Nobody in the simulated world waits for anything but each other and the clock: after this turn all of them wait. */
function idle(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

function isBefore(one: Timer, other: Timer): boolean {
  return one.at < other.at || (one.at === other.at && one.serial < other.serial);
}

function push(heap: Timer[], timer: Timer): void {
  heap.push(timer);
  let at = heap.length - 1;
  while (at > 0) {
    const above = (at - 1) >> 1;
    const [child, parent] = [heap[at], heap[above]];
    if (child === undefined || parent === undefined || !isBefore(child, parent)) return;
    heap[at] = parent;
    heap[above] = child;
    at = above;
  }
}

function pop(heap: Timer[]): void {
  const last = heap.pop();
  if (last === undefined || heap.length === 0) return;
  heap[0] = last;
  for (let at = 0; ; ) {
    const children = [2 * at + 1, 2 * at + 2];
    let least = at;
    for (const child of children) {
      const [one, other] = [heap[child], heap[least]];
      if (one !== undefined && other !== undefined && isBefore(one, other)) least = child;
    }
    if (least === at) return;
    const [parent, child] = [heap[at], heap[least]];
    if (parent === undefined || child === undefined) return;
    heap[at] = child;
    heap[least] = parent;
    at = least;
  }
}
