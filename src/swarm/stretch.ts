/** Reads the board less often the faster its service's budget is used up, so that what is left lasts until it is whole again. */
import type { ApiBudget } from '../core/model/api-budget.ts';

/** GitHub's window, the longest of those services. */
const WINDOW_MS = 60 * 60_000;

/** With half of it left nobody need hurry less: a burst of work at the beginning of the hour is no reason to look away. */
const PLENTY = 0.5;

/** The last tenth is for writes: a report that cannot be written holds up more than a look that comes late. */
const RESERVE = 0.1;

/** The slowest of the holding pattern; who waits longer has run into the reserve. */
const LONGEST_MS = 15 * 60_000;

/** Twice as long where half as much is left as there should be at this time of the window, and so on. */
export function stretchedMs(intervalMs: number, budget: ApiBudget | undefined, now: number): number {
  if (budget === undefined || budget.limit <= 0 || budget.resetsAt <= now) return intervalMs;
  const untilWhole = Math.min(budget.resetsAt - now, WINDOW_MS);
  const share = budget.remaining / budget.limit;
  // Where it comes back bit by bit there is something long before it is whole.
  const untilSome = budget.evenly === true ? Math.min(untilWhole, LONGEST_MS) : untilWhole;
  if (share <= RESERVE) return Math.max(intervalMs, untilSome);
  const due = untilWhole / WINDOW_MS;
  if (share >= PLENTY || share >= due) return intervalMs;
  return Math.max(intervalMs, Math.min((intervalMs * due) / share, LONGEST_MS));
}
