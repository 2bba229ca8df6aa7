/** Finds the next moment during playback. Pure. */
import type { JournalSpan } from '../../../../../src/protocol/dashboard.ts';

/** Number of playback steps, chosen so that the whole history plays in about a minute and a half. */
const STEPS = 120;

/**
 * Returns the next moment during playback, or undefined at the end of the history. Playback uses
 * equal steps and skips time in which nothing happened.
 */
export function findNextMoment({ first, last, parts }: JournalSpan, at: number): number | undefined {
  const step = Math.max(1, (last.at - first.at) / STEPS);
  const next = at + step;
  if (next >= last.at) return undefined;
  const current = parts.findLastIndex(({ from }) => from <= next);
  if ((parts[current]?.count ?? 1) > 0) return next;
  // Skips intervals in which nothing happened, such as nights.
  const busy = parts.find(({ count }, index) => index > current && count > 0);
  return busy === undefined ? undefined : Math.min(last.at, busy.from + step);
}
