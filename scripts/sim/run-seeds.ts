/** The part of a run that one thread does: whichever seed is next, until none is left. */
import { parentPort, workerData } from 'node:worker_threads';
import { tellStory } from '../../src/sim/story.ts';

export interface Share {
  readonly from: number;
  readonly seeds: number;
  /** How many have been begun by all threads together: a story takes anything from a hundredth of a second to one. */
  readonly begun: Int32Array;
}

// Refusals come by the thousand and nobody reads where they were made: a failing story is told again with it.
Error.stackTraceLimit = 0;

const { from, seeds, begun }: Share = workerData;
for (let next = Atomics.add(begun, 0, 1); next < seeds; next = Atomics.add(begun, 0, 1)) {
  const { story: _, ...told } = await tellStory(from + next);
  parentPort?.postMessage(told);
}
