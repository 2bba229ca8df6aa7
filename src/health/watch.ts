/** Since when the daemon has watched without a gap: while it slept, nobody could answer it. */
import { type HealthLimits, healthLimits } from './limits.ts';

/** One moment by both clocks of the machine. */
export interface Moment {
  readonly now: number;
  /** It never goes back, nobody sets it, and it stands still while the machine sleeps. */
  readonly monotonic: number;
}

/** A clock that is corrected by its time service moves by less; what is more was set by somebody, or slept through. */
const JUMP_MS = 5_000;

/** Call it with every round of looks; the answer is the `watchingSince` of all evidence of that round. */
export function watchingSince(
  previous: number,
  lastRound: Moment,
  present: Moment,
  given: Partial<HealthLimits>,
): number {
  const { now } = present;
  const gap = now - lastRound.now;
  const isWhole = gap >= 0 && gap <= healthLimits(given).watchGap && previous <= now;
  // Whichever way it was, what was measured before proves nothing.
  return isWhole && !hasJumped(lastRound, present) ? previous : now;
}

/** Whether the time of day has moved otherwise than time itself: then nothing can be said about how long ago something was. */
export function hasJumped(before: Moment, after: Moment): boolean {
  return Math.abs(jumpOf(before, after)) > JUMP_MS;
}

/** By how much, in ms; ahead is positive. */
export function jumpOf(before: Moment, after: Moment): number {
  return after.now - before.now - (after.monotonic - before.monotonic);
}
