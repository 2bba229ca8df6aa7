/** Since when the daemon has watched without a gap: while it slept, nobody could answer it. */
import { type HealthLimits, healthLimits } from './limits.ts';

/** Call it with every round of looks; the answer is the `watchingSince` of all evidence of that round. */
export function watchingSince(
  previous: number,
  lastRoundAt: number,
  now: number,
  given: Partial<HealthLimits>,
): number {
  const gap = now - lastRoundAt;
  // Forwards: the machine slept. Backwards: the clock was set. Either way what was measured before proves nothing.
  return gap >= 0 && gap <= healthLimits(given).watchGap && previous <= now ? previous : now;
}
