/** Handles GitHub's timestamps, which are whole seconds. */

/**
 * Data read within the same second as its last change may change again without a new timestamp. Ten
 * seconds also cover clock differences.
 */
const SETTLED_AFTER_MS = 10_000;

/** Returns milliseconds. */
export function parseTime(text: string): number {
  return Date.parse(text);
}

/**
 * Returns whether every change after `readAt` (by our clock) is certain to have a new `updatedAt`.
 */
export function isSettled(updatedAt: string, readAt: number): boolean {
  return readAt - parseTime(updatedAt) >= SETTLED_AFTER_MS;
}

/** Returns the first valid time. Undefined if there is none. */
export function parseFirstTime(...texts: readonly unknown[]): number | undefined {
  return texts
    .map((text) => (typeof text === 'string' ? parseTime(text) : Number.NaN))
    .find((time) => !Number.isNaN(time));
}
