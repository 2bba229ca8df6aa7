/** Time that passes only when nothing is left to do: the simulated world's one clock. */
import type { Clock } from '../domain/clock.ts';
import type { Life } from './life.ts';

/** 2026-01-01, so that times read as times. */
const BEGINNING = 1_767_225_600_000;

/** So many timers ring before the event loop has a turn of its own. */
const BREATH_TIMERS = 1_000;

interface Timer {
  readonly at: number;
  readonly serial: number;
  /** Undefined once it was taken back. */
  ring: (() => void) | undefined;
}

export class Time {
  #elapsed = 0;
  /** What somebody has set the machine's clock ahead or back by. */
  #offset = 0;
  #jumpedAt = Number.NEGATIVE_INFINITY;
  #serial = 0;
  /** A binary heap by time, then by who came first. */
  readonly #timers: Timer[] = [];

  get elapsed(): number {
    return this.#elapsed;
  }

  now(): number {
    return BEGINNING + this.#elapsed + this.#offset;
  }

  /** When somebody last did. */
  get jumpedAt(): number {
    return this.#jumpedAt;
  }

  jump(ms: number): void {
    this.#offset += ms;
    this.#jumpedAt = this.#elapsed;
  }

  /** Returns the way to take it back. */
  after(ms: number, ring: () => void): () => void {
    this.#serial += 1;
    const timer: Timer = { at: this.#elapsed + Math.max(0, ms), serial: this.#serial, ring };
    push(this.#timers, timer);
    return () => {
      timer.ring = undefined;
    };
  }

  sleep(ms: number): Promise<void> {
    return new Promise((resolve) => this.after(ms, resolve));
  }

  /** Rings one timer after the other until `isOver` says so, or nothing is left to happen before `until`. */
  async pass(until: number, isOver: () => boolean): Promise<void> {
    for (let rung = 0; ; rung += 1) {
      await (rung % BREATH_TIMERS === 0 ? breath() : idle());
      if (isOver()) return;
      const next = this.#next();
      if (next === undefined || next.at > until) {
        this.#elapsed = Math.max(this.#elapsed, until);
        return;
      }
      pop(this.#timers);
      this.#elapsed = next.at;
      next.ring?.();
    }
  }

  /** The first that was not taken back; most are, because whoever sleeps is woken. */
  #next(): Timer | undefined {
    while (this.#timers[0] !== undefined && this.#timers[0].ring === undefined) pop(this.#timers);
    return this.#timers[0];
  }
}

/** A daemon's view of time: whoever is dead sleeps for ever, and whoever is frozen sleeps longer. */
export function clockOf(time: Time, life: Life): Clock {
  return {
    now: () => time.now(),
    monotonic: () => time.elapsed,
    sleep: (ms, signal) =>
      new Promise((resolve, reject) => {
        if (signal?.aborted === true) {
          reject(signal.reason);
          return;
        }
        const ring = () => {
          if (life.frozen !== undefined) void life.frozen.then(ring);
          else if (life.isAlive) {
            signal?.removeEventListener('abort', onAbort);
            resolve();
          }
        };
        const takeBack = time.after(ms, ring);
        const onAbort = () => {
          takeBack();
          if (life.isAlive) reject(signal?.reason);
        };
        signal?.addEventListener('abort', onAbort, { once: true });
      }),
  };
}

/**
 * Nobody in the simulated world waits for anything but each other and the clock: a tick comes when all of them wait. A turn
 * of the event loop would do as well, and costs a system call for every timer.
 */
function idle(): Promise<void> {
  return new Promise((resolve) => process.nextTick(resolve));
}

/** The runtime looks at rejections nobody handled between turns only, and keeps them until then. */
function breath(): Promise<void> {
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
    const least = leastOf(heap, leastOf(heap, at, 2 * at + 1), 2 * at + 2);
    const [parent, child] = [heap[at], heap[least]];
    if (least === at || parent === undefined || child === undefined) return;
    heap[at] = child;
    heap[least] = parent;
    at = least;
  }
}

function leastOf(heap: readonly Timer[], at: number, other: number): number {
  const [one, another] = [heap[at], heap[other]];
  return one !== undefined && another !== undefined && isBefore(another, one) ? other : at;
}
