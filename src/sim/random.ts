/** Generates pseudo-random numbers from a seed. */
export interface SeededRandom {
  /** Returns a number from 0 up to, but not including, 1. */
  next(): number;
  chance(probability: number): boolean;
  /** Returns an integer from `min` to `max`, both included. */
  between(min: number, max: number): number;
  pick<T>(among: readonly [T, ...T[]]): T;
}

/** Implements Mulberry32. */
export function createSeededRandom(seed: number): SeededRandom {
  let state = seed;
  const next = () => {
    state = (state + 0x6d2b79f5) | 0;
    let bits = Math.imul(state ^ (state >>> 15), 1 | state);
    bits = (bits + Math.imul(bits ^ (bits >>> 7), 61 | bits)) ^ bits;
    return ((bits ^ (bits >>> 14)) >>> 0) / 2 ** 32;
  };
  return {
    next,
    chance: (probability) => next() < probability,
    between: (min, max) => min + Math.floor(next() * (max - min + 1)),
    pick: (items) => items[Math.floor(next() * items.length)] ?? items[0],
  };
}
