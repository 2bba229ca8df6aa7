/** Numbers that look random and follow from a seed, which LEGION_SEED replays. */
import { randomFrom as random } from '../../../src/sim/random.ts';

const { LEGION_SEED: given } = process.env;

export const SEED = Number(given ?? Math.floor(Math.random() * 2 ** 31));

/** Numbers from 0 to 1. */
export function randomFrom(start: number): () => number {
  return random(start).next;
}
