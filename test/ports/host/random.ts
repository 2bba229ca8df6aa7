/** Seeded pseudo-random numbers. Setting LEGION_SEED replays a run. */
import { createSeededRandom as random } from '../../../src/sim/random.ts';

const { LEGION_SEED: given } = process.env;

export const SEED = Number(given ?? Math.floor(Math.random() * 2 ** 31));

/** Returns a generator of numbers from 0 to 1. */
export function randomFrom(start: number): () => number {
  return random(start).next;
}
