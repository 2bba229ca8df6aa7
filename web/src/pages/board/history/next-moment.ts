/** The next moment worth seeing when the history is played: steps of equal length over the time in which something happened. Pure. */
import type { JournalSpan } from '../../../../../src/protocol/dashboard.ts';

/** The whole history in about a minute and a half. */
const STEPS = 120;

/** Undefined at the end. */
export function nextMoment({ first, last, parts }: JournalSpan, at: number): number | undefined {
  const step = Math.max(1, (last.at - first.at) / STEPS);
  const next = at + step;
  if (next >= last.at) return undefined;
  const here = parts.findLastIndex(({ from }) => from <= next);
  if ((parts[here]?.count ?? 1) > 0) return next;
  // Nights in which nothing happened are skipped.
  const busy = parts.find(({ count }, index) => index > here && count > 0);
  return busy === undefined ? undefined : Math.min(last.at, busy.from + step);
}
