/** The local day a moment lies in; the pure rooms are handed it as data. */
import type { Day } from '../health/day-budget.ts';

export function localDay(at: number): Day {
  const start = new Date(at);
  start.setHours(0, 0, 0, 0);
  const end = new Date(start);
  // By the calendar, not by 24 hours: a day on which the clocks change is shorter or longer.
  end.setDate(end.getDate() + 1);
  return { startedAt: start.getTime(), endsAt: end.getTime() };
}
