/**
 * Decides how to react to an attempt's spending: do nothing, warn the worker, ask it to stop, or
 * stop it. Changes nothing itself.
 */
import { decideOverspendingStep, type SpendingStep } from '../../core/health/overspending.ts';
import { toLifecycleState } from '../../core/model/lifecycle.ts';
import { computeChargedSpending, sumFleetSpendingSince } from '../../core/state/spending.ts';
import type { WorkerRecord } from '../../core/state/state.ts';
import { listIssueWorkers } from '../../core/state/workers.ts';
import type { StateContext } from './daemon-context.ts';

export function decideAttemptSpending(
  { ledger, settings, clock, dayOf }: StateContext,
  worker: WorkerRecord,
): SpendingStep {
  const { issue, mode, facts: lifecycle, spent, warnings, askedToStop } = worker;
  const { budgets, health } = settings();
  const now = clock.now();
  const day = dayOf?.(now);
  const facts = {
    day: day === undefined ? undefined : sumFleetSpendingSince(ledger.state, day.startedAt),
    state: toLifecycleState(lifecycle),
    ...computeChargedSpending(listIssueWorkers(ledger.state, issue), mode, now),
    idleTurns: spent.progress.idleTurns,
    warnings,
    ...(askedToStop === undefined ? {} : { askedToStopAt: askedToStop.at }),
  };
  return decideOverspendingStep(facts, now, budgets, health);
}
