/** Waits for a hint that there is more to read, but not longer than asked. */
import type { Clock } from '../../domain/clock.ts';

/** Resolves to true after a hint, also one before the call; to false after `ms` without one, or when it is over. */
export type WaitForHint = (ms: number) => Promise<boolean>;

/** `over` ends the subscription and every wait, for good. */
export function subscribeHints(
  subscribe: (listener: () => void) => () => void,
  clock: Clock,
  over: AbortSignal,
): WaitForHint {
  let isHinted = false;
  let nap: AbortController | undefined;
  const unsubscribe = subscribe(() => {
    isHinted = true;
    nap?.abort();
  });
  over.addEventListener('abort', () => {
    unsubscribe();
    nap?.abort();
  });

  return async (ms) => {
    if (!isHinted && !over.aborted) {
      nap = new AbortController();
      // Rejects when a hint ends it.
      await clock.sleep(ms, nap.signal).catch(() => undefined);
      nap = undefined;
    }
    const wasHinted = isHinted;
    // Every hint from here on counts for the next wait: the caller reads after this.
    isHinted = false;
    return wasHinted;
  };
}
