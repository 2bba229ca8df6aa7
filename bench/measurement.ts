/** One line of the table of measurements. */
export interface Measurement {
  readonly name: string;
  readonly value: number;
  readonly unit: string;
  readonly goal: string;
  readonly met: boolean;
}

/** The middle of several rounds: a shared machine spoils some of them. */
export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
}

/** How many operations a second `work` makes, the middle of several rounds; it returns how many it made. */
export function rate(rounds: number, work: () => number): number {
  const rates: number[] = [];
  for (let round = 0; round < rounds; round += 1) {
    const begun = performance.now();
    const made = work();
    rates.push((made / (performance.now() - begun)) * 1_000);
  }
  return median(rates);
}
