/** Generates pseudo-random numbers that depend only on the seed. */

/** Mulberry32: small, and good enough to choose faults. */
export function computeNextState(state: number): number {
  return (state + 0x6d2b79f5) | 0;
}

export function toFraction(state: number): number {
  let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
  mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
  return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
}
