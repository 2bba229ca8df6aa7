/** What a worker and an issue have used up, as far as the journal knows. */

import type { WorkerRecord } from '../core/state/state.ts';
import type { Mode } from '../domain/mode.ts';
import { NOTHING_SPENT, type Spending, since, sumOf, unpricedTokensOf } from '../health/spending.ts';

/** All its attempts together. */
export function spentBy(worker: WorkerRecord, now: number): Spending {
  const { earlier, now: present } = worker.spent;
  return sumOf(earlier, { ...present, wallMs: workedMs(worker, now) });
}

/** By the worker of `mode` and by all `workers` of its issue, since a person last let them go on: what a budget is held against. */
export function chargedTo(
  workers: readonly WorkerRecord[],
  mode: Mode,
  now: number,
): { readonly worker: Spending; readonly issue: Spending } {
  const all = workers.map((worker) => since(spentBy(worker, now), worker.spent.granted));
  const unpricedTokens = all.reduce((sum, spent) => sum + unpricedTokensOf(spent), 0);
  const own = all[workers.findIndex((worker) => worker.mode === mode)] ?? NOTHING_SPENT;
  return { worker: own, issue: { ...sumOf(...all), unpricedTokens } };
}

/** From its dispatch to its end; while it waits for a person or for quota, or the machine sleeps, no time of its own passes. */
function workedMs({ facts, exit, spent }: WorkerRecord, now: number): number {
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
