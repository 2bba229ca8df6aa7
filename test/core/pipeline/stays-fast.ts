/** Checks that parsing external text takes linear rather than quadratic time. */
import { expect } from 'vitest';

/**
 * A linear parser takes about ten milliseconds per megabyte. A quadratic one takes seconds for
 * 50,000 characters.
 */
const BOUND_MS = 2_000;

/**
 * Tries a smaller text first: with the large one, a quadratic parser would take an hour to fail.
 */
export function expectFast(read: (text: string) => unknown, piece: string, end = ''): void {
  for (const length of [50_000, 1_000_000]) {
    const text = piece.repeat(Math.ceil(length / piece.length)) + end;
    const began = performance.now();
    read(text);
    expect(performance.now() - began, `${length} characters of ${JSON.stringify(piece)}`).toBeLessThan(
      BOUND_MS,
    );
  }
}
