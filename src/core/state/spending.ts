/** Computes what a worker, an issue and the whole fleet have spent, as recorded in the journal. */

import {
  computeSpendingSince,
  countUnpricedTokens,
  NO_SPENDING,
  type Spending,
  sumSpending,
} from '../health/budget.ts';
import type { Mode } from '../model/mode.ts';
import type { LegionState, WorkerRecord } from './state.ts';

/** Sums all attempts of the worker. */
export function computeWorkerSpending(worker: WorkerRecord, now: number): Spending {
  const { earlier, now: present } = worker.spent;
  return sumSpending(earlier, { ...present, wallMs: computeWorkedMs(worker, now) });
}

/**
 * Returns what counts against the budgets: spending of the `mode` worker and of all `workers` of
 * its issue since a person last let them continue.
 */
export function computeChargedSpending(
  workers: readonly WorkerRecord[],
  mode: Mode,
  now: number,
): { readonly worker: Spending; readonly issue: Spending } {
  const all = workers.map((worker) =>
    computeSpendingSince(computeWorkerSpending(worker, now), worker.spent.granted),
  );
  const unpricedTokens = all.reduce((sum, spent) => sum + countUnpricedTokens(spent), 0);
  const own = all[workers.findIndex((worker) => worker.mode === mode)] ?? NO_SPENDING;
  return { worker: own, issue: { ...sumSpending(...all), unpricedTokens } };
}

/**
 * Measures from dispatch to end, excluding waits for a person or quota and time in which the
 * machine slept.
 */
function computeWorkedMs({ facts, exit, spent }: WorkerRecord, now: number): number {
  const ends = [
    now,
    exit?.at,
    facts.waiting?.since,
    facts.acceptedAt,
    facts.stoppedAt,
    facts.crashedAt,
    facts.pausedAt,
  ];
  const end = Math.min(...ends.filter((at) => at !== undefined));
  return Math.max(0, end - facts.dispatchedAt - spent.skewMs);
}

/** All time zone offsets are multiples of 15 minutes. */
const QUARTER_MS = 15 * 60_000;

/** Two days, because the longest local day has 25 hours and none of its quarters may be dropped. */
const KEPT_QUARTERS = 2 * 24 * 4;

type SpentAmounts = Pick<Spending, 'tokens' | 'usd'>;

/**
 * Adds the difference between `before` and `after` to the current quarter-hour, and drops quarters
 * that are too old for any local day.
 */
export function recordSpending(
  { spending }: LegionState,
  at: number,
  before: SpentAmounts,
  after: SpentAmounts,
): void {
  const quarter = Math.floor(at / QUARTER_MS);
  const { usd, unpricedTokens } = spending.get(quarter) ?? { usd: 0, unpricedTokens: 0 };
  spending.set(quarter, {
    usd: usd + after.usd - before.usd,
    unpricedTokens: unpricedTokens + countUnpricedTokens(after) - countUnpricedTokens(before),
  });
  for (const old of spending.keys()) if (old < quarter - KEPT_QUARTERS) spending.delete(old);
}

/** Sums what all workers have spent since a given time, such as local midnight. */
export function sumFleetSpendingSince({ spending }: LegionState, since: number): Spending {
  let usd = 0;
  let unpricedTokens = 0;
  for (const [quarter, spent] of spending) {
    if (quarter * QUARTER_MS < since) continue;
    usd += spent.usd;
    unpricedTokens += spent.unpricedTokens;
  }
  return { ...NO_SPENDING, usd, unpricedTokens: Math.max(0, unpricedTokens) };
}
