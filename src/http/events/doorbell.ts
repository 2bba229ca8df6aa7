/** Waits for a hint that there is more to read, for so long and no longer. */
import type { Clock } from '../../domain/clock.ts';

export interface Doorbell {
  /** True when it rang, also where that was before the call; false when nothing happened for `ms`, or it was stopped. */
  rang(ms: number): Promise<boolean>;
  /** Wakes whoever waits, for good. */
  stop(): void;
}

export function doorbell(subscribe: (listener: () => void) => () => void, clock: Clock): Doorbell {
  let hasRung = false;
  let isStopped = false;
  let nap: AbortController | undefined;

  const unsubscribe = subscribe(() => {
    hasRung = true;
    nap?.abort();
  });

  return {
    async rang(ms) {
      if (!hasRung && !isStopped) {
        nap = new AbortController();
        // It rejects when it is woken, which is what was hoped for.
        await clock.sleep(ms, nap.signal).catch(() => undefined);
        nap = undefined;
      }
      const rang = hasRung;
      // From here on everything new rings again; whoever asked reads after this.
      hasRung = false;
      return rang;
    },
    stop() {
      isStopped = true;
      unsubscribe();
      nap?.abort();
    },
  };
}
