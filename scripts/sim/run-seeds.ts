/** The part of a run that one thread does. */
import { parentPort, workerData } from 'node:worker_threads';
import { tellStory } from '../../src/sim/story.ts';

export interface Share {
  readonly from: number;
  readonly seeds: number;
  /** Every so many-th seed is ours. */
  readonly step: number;
}

// Refusals come by the thousand and nobody reads where they were made: a failing story is told again with it.
Error.stackTraceLimit = 0;

const { from, seeds, step }: Share = workerData;
for (let seed = from; seed < from + seeds; seed += step) {
  const { story: _, ...told } = await tellStory(seed);
  parentPort?.postMessage(told);
}
