/** Polls until a value is available or the time is up. */
import { setTimeout as sleep } from 'node:timers/promises';

export interface PollOptions {
  readonly everyMs: number;
  readonly boundMs: number;
  readonly signal: AbortSignal;
}

/**
 * Resolves to the first value that `poll` returns. Resolves to undefined if `poll` returns no value
 * in time.
 */
export async function waitFor<T>(
  poll: () => Promise<T | undefined>,
  { everyMs, boundMs, signal }: PollOptions,
): Promise<T | undefined> {
  const until = performance.now() + boundMs;
  for (;;) {
    const value = await poll();
    if (value !== undefined || performance.now() >= until) return value;
    await sleep(everyMs, undefined, { signal });
  }
}
