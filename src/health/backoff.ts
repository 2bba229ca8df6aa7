/** How long to wait before a crashed worker is started again: 10, 20, 40, 80, 160, 300, 300 … s by default. */
import type { HealthLimits } from './limits.ts';

/** One life of a worker that ended in a confirmed crash. */
export interface Life {
  readonly startedAt: number;
  readonly crashedAt: number;
  /** How it ended, in words for people. */
  readonly how?: string;
  /** What its agent last said about something that failed. */
  readonly error?: string;
}

/** `lives` in order, the latest last; a long life before the latest crash begins the series anew. */
export function backoffOf(lives: readonly Life[], limits: HealthLimits): number {
  let inRow = 0;
  for (const life of lives.toReversed()) {
    // An unreadable life counts as short: the longer wait does no harm.
    if (life.crashedAt - life.startedAt >= limits.backoffReset) break;
    inRow += 1;
  }
  return Math.min(limits.backoffFirst * 2 ** Math.max(0, inRow - 1), limits.backoffMost);
}
