/** Holds a reading of outside text to a time that grows with the text, not with its square. */
import { expect } from 'vitest';

/** A linear reading takes some ten milliseconds a megabyte; a quadratic one of 50,000 characters takes seconds. */
const BOUND_MS = 2_000;

/** The smaller text first: what fails there would take an hour on the larger one. */
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
