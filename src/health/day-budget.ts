/** The budget of a day: whether anything may start, and why not. */
import { type Budgets, weigh, weighedInWords } from './budget.ts';
import { NOTHING_SPENT, type Spending } from './spending.ts';

/** From one local midnight to the next, in milliseconds since 1970; worked out by whoever knows the time zone. */
export interface Day {
  readonly startedAt: number;
  readonly endsAt: number;
}

/** What all workers spent in a quarter of an hour. */
export interface QuarterSpending {
  readonly usd: number;
  /** May fall below zero where an agent reports its cost only at the end of a turn. */
  readonly unpricedTokens: number;
}

export type DayRefusal =
  | { readonly reason: 'budget_zero'; readonly fact: string }
  | { readonly reason: 'day_budget_spent'; readonly fact: string };

/** Undefined where a worker may start as far as money is concerned. */
export function refuseByDay(spent: Spending | undefined, budgets: Budgets): DayRefusal | undefined {
  const zero = findZeroBudget(budgets);
  if (zero !== undefined) return { reason: 'budget_zero', fact: `${zero}=0` };
  if (spent === undefined) return undefined;
  const used = { worker: NOTHING_SPENT, issue: NOTHING_SPENT, day: spent };
  const over = weigh(used, budgets).find(({ level, scope }) => scope === 'day' && level === 'spent');
  return over === undefined ? undefined : { reason: 'day_budget_spent', fact: weighedInWords(over) };
}

/** The configuration key of a budget of 0, which starts nothing, whatever was spent. */
function findZeroBudget({ issue, day }: Budgets): string | undefined {
  const limits = {
    'budgets.issue.usd': issue.usd,
    'budgets.issue.tokens': issue.tokens,
    'budgets.day.usd': day.usd,
    'budgets.day.tokens': day.unpricedTokens,
  };
  return Object.entries(limits).find(([, limit]) => limit === 0)?.[0];
}
