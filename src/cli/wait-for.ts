/** Looks again and again until something is so, but not for ever. */
import { setTimeout as sleep } from 'node:timers/promises';

export interface Waiting {
  readonly everyMs: number;
  readonly boundMs: number;
  readonly signal: AbortSignal;
}

/** What `look` found, or undefined where it found nothing within the bound. */
export async function waitFor<T>(
  look: () => Promise<T | undefined>,
  { everyMs, boundMs, signal }: Waiting,
): Promise<T | undefined> {
  const until = performance.now() + boundMs;
  for (;;) {
    const found = await look();
    if (found !== undefined || performance.now() >= until) return found;
    await sleep(everyMs, undefined, { signal });
  }
}
