/** Runs simulations in one thread: takes the next seed until none is left. */
import { parentPort, workerData } from 'node:worker_threads';
import { runSimulation } from '../../src/sim/simulation.ts';

export interface SeedRange {
  readonly from: number;
  readonly seeds: number;
  /**
   * Number of seeds that all threads together have started. Threads share this counter instead of
   * getting fixed portions, because a run takes between 10 ms and 1 s.
   */
  readonly begun: Int32Array;
}

// Simulated refusals throw thousands of errors whose stacks are not needed. A failing run is
// repeated with stacks.
Error.stackTraceLimit = 0;

const { from, seeds, begun }: SeedRange = workerData;
for (let next = Atomics.add(begun, 0, 1); next < seeds; next = Atomics.add(begun, 0, 1)) {
  const { log: _, ...summary } = await runSimulation(from + next);
  parentPort?.postMessage(summary);
}
