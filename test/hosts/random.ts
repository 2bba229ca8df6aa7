/** Numbers that look random and follow from a seed, which LEGION_SEED replays. */

const { LEGION_SEED: given } = process.env;

export const SEED = Number(given ?? Math.floor(Math.random() * 2 ** 31));

/** Numbers from 0 to 1 (mulberry32). */
export function randomFrom(start: number): () => number {
  let state = start;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let bits = Math.imul(state ^ (state >>> 15), 1 | state);
    bits = (bits + Math.imul(bits ^ (bits >>> 7), 61 | bits)) ^ bits;
    return ((bits ^ (bits >>> 14)) >>> 0) / 2 ** 32;
  };
}
