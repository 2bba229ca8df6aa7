/** Runs passes one after the other: on wake-up or when the last pass's delay has elapsed. */

import type { Clock } from '../../core/model/clock.ts';
import { LegionError } from '../../core/model/fault.ts';

/**
 * States: **passing** (a pass is running), **resting** (waiting for a wake-up or for the time that
 * the last pass set), **stopped**. Wake-ups during a pass are merged into one, because they carry
 * no data.
 */
export interface WakeableLoop {
  /** Never waits and never fails. May be called from anywhere at any rate. */
  wake(): void;
  /** Lets a running pass finish. Resolves when nothing more will run. */
  stop(): Promise<void>;
}

export interface WakeableLoopOptions {
  /** Runs one pass. Resolves to the maximum rest before the next pass, in ms. */
  readonly pass: (woken: boolean, signal: AbortSignal) => Promise<number>;
  readonly clock: Clock;
  /** Receives the error of a failed pass. The next pass follows after a backoff or on wake-up. */
  readonly onError: (error: unknown) => void;
}

/**
 * Delays after consecutive failed passes: 1, 2, 4, 8, 16, 30, 30 … s. They are short enough to
 * notice a recovery soon and long enough not to flood a service.
 */
const INITIAL_BACKOFF_MS = 1_000;
const MAX_BACKOFF_MS = 30_000;

/**
 * Upper limit for the retry time that a service asks for. If the service asks for a longer wait, a
 * pass runs earlier to check.
 */
const MAX_RETRY_AFTER_MS = 15 * 60_000;

export function startWakeableLoop({ pass, clock, onError }: WakeableLoopOptions): WakeableLoop {
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
        onError(error);
        restMs = Math.max(
          Math.min(INITIAL_BACKOFF_MS * 2 ** failures, MAX_BACKOFF_MS),
          Math.min(computeRetryDelay(error), MAX_RETRY_AFTER_MS),
        );
        failures += 1;
      }
      await sleep(restMs);
    }
  }

  function computeRetryDelay(error: unknown): number {
    return error instanceof LegionError && error.retryAt !== undefined ? error.retryAt - clock.now() : 0;
  }

  async function sleep(ms: number): Promise<void> {
    // Created before the flag is read, so that a wake-up between these two steps is not lost.
    rest = new AbortController();
    if (woken || ended.signal.aborted) return;
    await clock.sleep(Math.max(ms, 0), rest.signal).catch(() => undefined); // woken early
  }

  const running = run();
  return {
    wake() {
      woken = true;
      // Passes an explicit reason, because the default is an error whose stack would be captured on
      // each of many wake-ups.
      rest.abort('woken');
    },
    async stop() {
      ended.abort();
      rest.abort();
      await running;
    },
  };
}
