/** Numbers that look random and are the same everywhere from the same seed. */

/** Mulberry32: small, and good enough to choose what goes wrong. */
export function nextState(state: number): number {
  return (state + 0x6d2b79f5) | 0;
}

export function fraction(state: number): number {
  let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
  mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
  return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
}
