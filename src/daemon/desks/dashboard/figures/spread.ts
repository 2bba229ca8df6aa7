/** The middle of some times, and what nine of ten stay below. */

interface Spread {
  readonly count: number;
  readonly medianMs: number;
  readonly p90Ms: number;
}

/** By the nearest rank: what is shown was measured. */
export function spreadOf(times: readonly number[]): Spread {
  const sorted = times.toSorted((a, b) => a - b);
  const rank = (share: number) => sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)] ?? 0;
  return { count: sorted.length, medianMs: rank(0.5), p90Ms: rank(0.9) };
}
