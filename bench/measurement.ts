/** One row of the results table. */
export interface Measurement {
  readonly name: string;
  readonly value: number;
  readonly unit: string;
  readonly goal: string;
  readonly met: boolean;
}

/** Returns the median of several rounds, because a shared machine distorts some of them. */
export function computeMedian(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
}

/**
 * Returns the median number of operations per second over several rounds. `work` returns how many
 * operations it did.
 */
export function computeRate(rounds: number, work: () => number): number {
  const rates: number[] = [];
  for (let round = 0; round < rounds; round += 1) {
    const begun = performance.now();
    const made = work();
    rates.push((made / (performance.now() - begun)) * 1_000);
  }
  return computeMedian(rates);
}
