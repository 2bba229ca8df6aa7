/** Reports the daemon's health: leader, workers, whether workers may start, and active problems. */

import { refuseByDayBudget } from '../../core/health/budget.ts';
import { CATALOGUE } from '../../core/model/fault.ts';
import { isLive, isWaiting, toLifecycleState } from '../../core/model/lifecycle.ts';
import { MODES } from '../../core/model/mode.ts';
import { sumFleetSpendingSince } from '../../core/state/spending.ts';
import { listStoppingWorkers } from '../../core/state/stopping.ts';
import { listPresentWorkers } from '../../core/state/workers.ts';
import type { InboxItem } from '../../protocol/operator.ts';
import type { HealthView } from '../../protocol/status.ts';
import type { DaemonContext } from '../context/daemon-context.ts';
import { describePace } from '../present/pace.ts';
import { describeReason } from '../present/reason.ts';

export interface DaemonInfo {
  readonly version: string;
  readonly pid: number;
  readonly startedAt: number;
}

export function buildHealthView(context: DaemonContext, info: DaemonInfo): HealthView {
  const { legionId, ledger, tracker, repositories, host, agents, preflight } = context;
  const { state, epoch, version } = ledger;
  const { slots, autoAdvance, budgets, health } = context.settings();
  const states = listPresentWorkers(state).map(([, { facts }]) => toLifecycleState(facts));
  const problems = context.problems.list();
  const budget = tracker.budget?.();
  const { pace } = context.boardView;
  return {
    ok: problems.length === 0,
    legion: legionId,
    ...info,
    epoch,
    journalVersion: version,
    backend: tracker.kind,
    forge: repositories.all[0]?.forge.kind ?? 'local',
    host: host.name,
    workers: {
      live: states.filter(isLive).length,
      waiting: states.filter(isWaiting).length,
      stopping: listStoppingWorkers(state, health).length,
      limit: slots.workers,
    },
    starts: state.breaker.open === undefined ? { allowed: true } : { allowed: false, ...state.breaker.open },
    autoAdvance,
    ...(budget === undefined ? {} : { budget: { ...budget } }),
    polling: pace && { intervalMs: pace.intervalMs, reason: pace.reason, says: describePace(pace) },
    budgets: { worker: { ...budgets.worker }, issue: { ...budgets.issue } },
    day: describeDay(context),
    scripted: MODES.some((mode) => agents.choicesFor(mode).some(({ agent }) => agent === 'scripted')),
    troubles: problems.map(({ code, message, next, since }) => ({ code, message, next, since })),
    baselines: preflight.running()?.map((each) => ({ ...each })),
    notices: preflight.notices().map((each) => ({ ...each })),
  };
}

type DayBudgetContext = Pick<DaemonContext, 'dayOf' | 'clock' | 'ledger' | 'settings'>;

/**
 * Describes today's spending for `legion status`, the fleet page and the inbox. Undefined if
 * spending is not counted by day.
 */
function describeDay({ dayOf, clock, ledger, settings }: DayBudgetContext): HealthView['day'] {
  const day = dayOf?.(clock.now());
  if (day === undefined) return undefined;
  const { budgets } = settings();
  const spent = sumFleetSpendingSince(ledger.state, day.startedAt);
  const refusal = refuseByDayBudget(spent, budgets);
  return {
    usd: spent.usd,
    usdLimit: budgets.day.usd,
    tokens: spent.unpricedTokens ?? 0,
    tokensLimit: budgets.day.unpricedTokens,
    endsAt: day.endsAt,
    refusal: refusal && `${describeReason(refusal.reason)} (${refusal.fact})`,
  };
}

/**
 * Returns a function that lists the inbox items of the daily budget. The function remembers when it
 * first saw that the budget blocked starts, because the budget may change during the day.
 */
export function openDayBudgetItems(context: DayBudgetContext): () => readonly InboxItem[] {
  let first: { readonly refusal: string; readonly at: number } | undefined;
  return () => {
    const items = listDayBudgetItems(context);
    const [item] = items;
    if (item === undefined) first = undefined;
    else if (first?.refusal !== item.title) first = { refusal: item.title, at: context.clock.now() };
    const since = first?.at ?? 0;
    return items.map((each) => ({ ...each, since: Math.max(each.since, since) }));
  };
}

/** Returns one item for the daily budget, however many issues are waiting for it. */
function listDayBudgetItems(context: DayBudgetContext): readonly InboxItem[] {
  const refusal = describeDay(context)?.refusal;
  const day = context.dayOf?.(context.clock.now());
  if (refusal === undefined || day === undefined) return [];
  const isZero = refusal.startsWith(describeReason('budget_zero'));
  const ends = new Date(day.endsAt).toLocaleString();
  return [
    {
      kind: 'budget',
      issue: null,
      title: isZero ? 'With a budget of 0, no worker starts' : 'The daily budget is spent: no worker starts',
      text: isZero ? refusal : `${refusal} The day ends at local midnight, ${ends}.`,
      since: day.startedAt,
      next: CATALOGUE[isZero ? 'budget.zero' : 'budget.day_spent'].next,
    },
  ];
}
