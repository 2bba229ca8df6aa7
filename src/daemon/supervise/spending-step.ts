/** What its budget means for an attempt at this moment; nothing follows from looking. */

import { overspending, type SpendingStep } from '../../core/health/overspending.ts';
import type { WorkerRecord } from '../../core/state/state.ts';
import { lifecycleOf } from '../../domain/lifecycle.ts';
import { spentSince } from '../../swarm/day-spending.ts';
import { chargedTo } from '../../swarm/spending.ts';
import { workersOf } from '../../swarm/workers.ts';
import type { World } from '../world.ts';

export function spendingStep({ ledger, settings, clock, dayOf }: World, worker: WorkerRecord): SpendingStep {
  const { issue, mode, facts, spent, warnings, askedToStop } = worker;
  const { budgets, health } = settings();
  const now = clock.now();
  const day = dayOf?.(now);
  const told = {
    day: day === undefined ? undefined : spentSince(ledger.swarm, day.startedAt),
    state: lifecycleOf(facts),
    ...chargedTo(workersOf(ledger.swarm, issue), mode, now),
    idleTurns: spent.progress.idleTurns,
    warnings,
    ...(askedToStop === undefined ? {} : { askedToStopAt: askedToStop.at }),
  };
  return overspending(told, now, budgets, health);
}
