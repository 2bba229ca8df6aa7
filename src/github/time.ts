/** GitHub's times, which are whole seconds. */

/**
 * What was read within the second of its last change may have changed again in it without showing that. Ten of them, because
 * the clocks of two machines differ too.
 */
const SETTLED_AFTER_MS = 10_000;

/** Ours are milliseconds. */
export function timeOf(text: string): number {
  return Date.parse(text);
}

/** Whether every change since `readAt`, by our clock, shows in another `updatedAt`. */
export function isSettled(updatedAt: string, readAt: number): boolean {
  return readAt - timeOf(updatedAt) >= SETTLED_AFTER_MS;
}

/** The first of these that is a time; undefined where none is. */
export function firstTime(...texts: readonly unknown[]): number | undefined {
  return texts
    .map((text) => (typeof text === 'string' ? timeOf(text) : Number.NaN))
    .find((time) => !Number.isNaN(time));
}
