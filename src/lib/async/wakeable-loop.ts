/** Runs one pass after the other: at once when someone wakes it, else when it is time to look again. */

import { LegionError } from '../../core/model/fault.ts';
import type { Clock } from '../../domain/clock.ts';

/**
 * States: **passing** (a pass is under way; ends with it), **resting** (waits for a wake-up or the time the last pass named),
 * **stopped**. Wake-ups during a pass are kept as one: a wake-up names nothing, so two are no more than one.
 */
export interface Reconciler {
  /** Never waits and never fails; it may be called from anywhere, as often as one likes. */
  wake(): void;
  /** Lets a pass that is under way come to its end; resolves when nothing will happen any more. */
  stop(): Promise<void>;
}

export interface Passing {
  /** Resolves to how long to rest at the most, in ms. */
  readonly pass: (woken: boolean, signal: AbortSignal) => Promise<number>;
  readonly clock: Clock;
  /** Hears of a pass that failed; the next one comes after a while, or when woken. */
  readonly onTrouble: (error: unknown) => void;
}

/** After a failed pass: 1, 2, 4, 8, 16, 30, 30 … s, so that an outage of minutes neither floods nor is slept through. */
const FIRST_BACKOFF_MS = 1_000;
const LONGEST_BACKOFF_MS = 30_000;

/** A service that refuses says when it may be asked again; a longer wait than this is looked into in between. */
const LONGEST_NAMED_MS = 15 * 60_000;

export function startReconciler({ pass, clock, onTrouble }: Passing): Reconciler {
  const ended = new AbortController();
  let woken = false;
  let rest = new AbortController();

  async function run(): Promise<void> {
    for (let failures = 0; !ended.signal.aborted; ) {
      const wasWoken = woken;
      woken = false;
      let restMs: number;
      try {
        restMs = await pass(wasWoken, ended.signal);
        failures = 0;
      } catch (error) {
        if (ended.signal.aborted) return;
        onTrouble(error);
        restMs = Math.max(
          Math.min(FIRST_BACKOFF_MS * 2 ** failures, LONGEST_BACKOFF_MS),
          Math.min(untilAllowed(error), LONGEST_NAMED_MS),
        );
        failures += 1;
      }
      await sleep(restMs);
    }
  }

  function untilAllowed(error: unknown): number {
    return error instanceof LegionError && error.retryAt !== undefined ? error.retryAt - clock.now() : 0;
  }

  async function sleep(ms: number): Promise<void> {
    // Made before the flag is looked at, so that no wake-up can fall between the two.
    rest = new AbortController();
    if (woken || ended.signal.aborted) return;
    await clock.sleep(Math.max(ms, 0), rest.signal).catch(() => undefined); // woken early
  }

  const running = run();
  return {
    wake() {
      woken = true;
      // With a reason of our own, because the default one is an error with a stack, made anew at each of many wake-ups.
      rest.abort('woken');
    },
    async stop() {
      ended.abort();
      rest.abort();
      await running;
    },
  };
}
