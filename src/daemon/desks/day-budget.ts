/** What was spent today, as `legion status`, the fleet page and the inbox show it. */
import { CATALOGUE } from '../../core/model/fault.ts';
import { refuseByDay } from '../../health/day-budget.ts';
import type { HealthView, InboxItem } from '../../protocol/operator.ts';
import { spentSince } from '../../swarm/day-spending.ts';
import { reasonInWords } from '../present/reason.ts';
import type { World } from '../world.ts';

type DayParts = Pick<World, 'dayOf' | 'clock' | 'ledger' | 'settings'>;

/** Undefined where nobody counts days. */
export function describeDay({ dayOf, clock, ledger, settings }: DayParts): HealthView['day'] {
  const day = dayOf?.(clock.now());
  if (day === undefined) return undefined;
  const { budgets } = settings();
  const spent = spentSince(ledger.swarm, day.startedAt);
  const refusal = refuseByDay(spent, budgets);
  return {
    usd: spent.usd,
    usdLimit: budgets.day.usd,
    tokens: spent.unpricedTokens ?? 0,
    tokensLimit: budgets.day.unpricedTokens,
    endsAt: day.endsAt,
    refusal: refusal && `${reasonInWords(refusal.reason)} (${refusal.fact})`,
  };
}

/** Remembers when a refusal was first seen: a budget may have changed in the middle of the day. */
export function openDayBudgetItems(world: DayParts): () => readonly InboxItem[] {
  let first: { readonly refusal: string; readonly at: number } | undefined;
  return () => {
    const items = dayBudgetItems(world);
    const [item] = items;
    if (item === undefined) first = undefined;
    else if (first?.refusal !== item.title) first = { refusal: item.title, at: world.clock.now() };
    const since = first?.at ?? 0;
    return items.map((each) => ({ ...each, since: Math.max(each.since, since) }));
  };
}

/** One item, however many issues wait for it. */
function dayBudgetItems(world: DayParts): readonly InboxItem[] {
  const refusal = describeDay(world)?.refusal;
  const day = world.dayOf?.(world.clock.now());
  if (refusal === undefined || day === undefined) return [];
  const isZero = refusal.startsWith(reasonInWords('budget_zero'));
  const ends = new Date(day.endsAt).toLocaleString();
  return [
    {
      kind: 'budget',
      issue: null,
      title: isZero ? 'A budget of 0 starts no worker' : 'The budget of the day is spent: no worker starts',
      text: isZero ? refusal : `${refusal} It ends at local midnight, ${ends}.`,
      since: day.startedAt,
      next: CATALOGUE[isZero ? 'budget.zero' : 'budget.day_spent'].next,
    },
  ];
}
