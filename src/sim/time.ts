/** Provides the simulated clock, which advances only when nothing is left to do. */
import type { Clock } from '../core/model/clock.ts';
import type { DaemonProcess } from './unreliable-ports.ts';

/** 2026-01-01, so that timestamps look realistic. */
const START_TIME = 1_767_225_600_000;

/** Number of timers that fire before the runtime's event loop gets a turn. */
const TIMERS_PER_TURN = 1_000;

interface SimTimer {
  readonly at: number;
  readonly serial: number;
  /** Callback of the timer. Undefined once the timer is cancelled. */
  ring: (() => void) | undefined;
}

export class SimTime {
  #elapsed = 0;
  /** Offset by which the machine's clock was set ahead or back. */
  #offset = 0;
  #jumpedAt = Number.NEGATIVE_INFINITY;
  #serial = 0;
  /** Timers as a binary heap, ordered by time and then by insertion. */
  readonly #timers: SimTimer[] = [];

  get elapsed(): number {
    return this.#elapsed;
  }

  now(): number {
    return START_TIME + this.#elapsed + this.#offset;
  }

  /** Elapsed time at which the clock last jumped. */
  get jumpedAt(): number {
    return this.#jumpedAt;
  }

  jump(ms: number): void {
    this.#offset += ms;
    this.#jumpedAt = this.#elapsed;
  }

  /** Returns a function that cancels the timer. */
  after(ms: number, ring: () => void): () => void {
    this.#serial += 1;
    const timer: SimTimer = { at: this.#elapsed + Math.max(0, ms), serial: this.#serial, ring };
    pushTimer(this.#timers, timer);
    return () => {
      timer.ring = undefined;
    };
  }

  sleep(ms: number): Promise<void> {
    return new Promise((resolve) => this.after(ms, resolve));
  }

  /** Fires timers in order until `isOver` returns true or no timer is due before `until`. */
  async pass(until: number, isOver: () => boolean): Promise<void> {
    for (let fired = 0; ; fired += 1) {
      await (fired % TIMERS_PER_TURN === 0 ? waitForEventLoop() : waitForTick());
      if (isOver()) return;
      const next = this.#next();
      if (next === undefined || next.at > until) {
        this.#elapsed = Math.max(this.#elapsed, until);
        return;
      }
      popTimer(this.#timers);
      this.#elapsed = next.at;
      next.ring?.();
    }
  }

  /**
   * Returns the first timer that is not cancelled. Most timers are cancelled, because sleepers are
   * woken early.
   */
  #next(): SimTimer | undefined {
    while (this.#timers[0] !== undefined && this.#timers[0].ring === undefined) popTimer(this.#timers);
    return this.#timers[0];
  }
}

/** Provides a daemon's clock: a dead daemon sleeps forever, and a frozen one sleeps longer. */
export function createSimClock(time: SimTime, daemonProcess: DaemonProcess): Clock {
  return {
    now: () => time.now(),
    monotonic: () => time.elapsed,
    sleep: (ms, signal) =>
      new Promise((resolve, reject) => {
        if (signal?.aborted === true) {
          reject(signal.reason);
          return;
        }
        const onTime = () => {
          if (daemonProcess.frozen !== undefined) void daemonProcess.frozen.then(onTime);
          else if (daemonProcess.isAlive) {
            signal?.removeEventListener('abort', onAbort);
            resolve();
          }
        };
        const cancel = time.after(ms, onTime);
        const onAbort = () => {
          cancel();
          if (daemonProcess.isAlive) reject(signal?.reason);
        };
        signal?.addEventListener('abort', onAbort, { once: true });
      }),
  };
}

/**
 * Resolves once all simulated code is waiting. This works because simulated code waits only for
 * other simulated code and for the clock. A turn of the event loop would also work, but costs a
 * system call per timer.
 */
function waitForTick(): Promise<void> {
  return new Promise((resolve) => process.nextTick(resolve));
}

/**
 * Waits for a turn of the event loop, because the runtime checks for unhandled rejections only
 * between turns and keeps them until then.
 */
function waitForEventLoop(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

function isBefore(one: SimTimer, other: SimTimer): boolean {
  return one.at < other.at || (one.at === other.at && one.serial < other.serial);
}

function pushTimer(heap: SimTimer[], timer: SimTimer): void {
  heap.push(timer);
  let at = heap.length - 1;
  while (at > 0) {
    const parentIndex = (at - 1) >> 1;
    const [child, parent] = [heap[at], heap[parentIndex]];
    if (child === undefined || parent === undefined || !isBefore(child, parent)) return;
    heap[at] = parent;
    heap[parentIndex] = child;
    at = parentIndex;
  }
}

function popTimer(heap: SimTimer[]): void {
  const last = heap.pop();
  if (last === undefined || heap.length === 0) return;
  heap[0] = last;
  for (let at = 0; ; ) {
    const earliest = pickEarlierTimer(heap, pickEarlierTimer(heap, at, 2 * at + 1), 2 * at + 2);
    const [parent, child] = [heap[at], heap[earliest]];
    if (earliest === at || parent === undefined || child === undefined) return;
    heap[at] = child;
    heap[earliest] = parent;
    at = earliest;
  }
}

function pickEarlierTimer(heap: readonly SimTimer[], at: number, other: number): number {
  const [first, second] = [heap[at], heap[other]];
  return first !== undefined && second !== undefined && isBefore(second, first) ? other : at;
}
