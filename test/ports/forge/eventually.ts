/** Waits for an asynchronous result. */
import { setTimeout as sleep } from 'node:timers/promises';

/** Far longer than any operation here takes. Reached only if the result never comes. */
const LIMIT_MS = 20_000;
const LOOK_MS = 10;

/** Resolves to the first result that is not undefined. */
export async function eventually<T>(
  what: string,
  look: () => Promise<T | undefined> | T | undefined,
): Promise<T> {
  const deadline = performance.now() + LIMIT_MS;
  for (;;) {
    const seen = await look();
    if (seen !== undefined) return seen;
    if (performance.now() > deadline) throw new Error(`Timed out after ${LIMIT_MS} ms waiting for ${what}`);
    await sleep(LOOK_MS);
  }
}
