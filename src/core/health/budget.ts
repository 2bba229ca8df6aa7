/**
 * Defines spending and budgets, and checks whether a worker, an issue or the day is within its
 * budget.
 */

import { describeDuration, formatCount, formatDollars, formatTokens } from '../model/format.ts';

/** Limits by measure. An absent measure has no limit. */
export interface Budget {
  readonly wallMs?: number;
  readonly turns?: number;
  readonly tokens?: number;
  /**
   * Tokens of workers whose agents report no cost. For these workers, tokens are the only measure
   * of spending.
   */
  readonly unpricedTokens?: number;
  readonly usd?: number;
}

export interface BudgetSettings {
  readonly worker: Budget;
  readonly issue: Budget;
  /** Budget for all workers together, from one local midnight to the next. */
  readonly day: Budget;
  /** Share of a budget at which a warning is sent. */
  readonly warnAt: number;
  /** Number of consecutive turns without progress after which an attempt is ended. */
  readonly idleTurns: number;
}

/** Defaults: no limits except for turns without progress. */
export const DEFAULT_BUDGETS: BudgetSettings = { worker: {}, issue: {}, day: {}, warnAt: 0.8, idleTurns: 3 };

/**
 * - `within`: nothing to report.
 * - `near`: a warning is due, once per measure.
 * - `spent`: no further work is allowed.
 */
export interface BudgetUsage {
  readonly level: 'within' | 'near' | 'spent';
  readonly scope: BudgetScope;
  readonly measure: keyof Budget;
  readonly used: number;
  readonly limit: number;
}

type BudgetScope = 'worker' | 'issue' | 'day';

/** `day` is absent if daily spending is not counted. */
export type SpendingByScope = Readonly<Record<'worker' | 'issue', Spending>> & {
  readonly day?: Spending | undefined;
};

/** Returns every limited measure, the most used first. */
export function computeBudgetUsage(used: SpendingByScope, budgets: BudgetSettings): readonly BudgetUsage[] {
  const usage: BudgetUsage[] = [];
  for (const scope of BUDGET_SCOPES) {
    const spent = used[scope];
    if (spent === undefined) continue;
    for (const measure of BUDGET_MEASURES) {
      const limit = budgets[scope][measure];
      if (limit !== undefined)
        usage.push(toBudgetUsage(scope, measure, spent[measure] ?? 0, limit, budgets.warnAt));
    }
  }
  return usage.sort((a, b) => computeUsedShare(b) - computeUsedShare(a));
}

function toBudgetUsage(
  scope: BudgetScope,
  measure: keyof Budget,
  used: number,
  limit: number,
  warnAt: number,
): BudgetUsage {
  // An unreadable amount fails both comparisons, so its level is `within`: a wrong number must not
  // stop a worker.
  const level = used >= limit ? 'spent' : used >= limit * warnAt ? 'near' : 'within';
  return { level, scope, measure, used, limit };
}

/** Returns the used share of the limit. A limit of 0 always counts as used up. */
function computeUsedShare({ used, limit }: BudgetUsage): number {
  return limit === 0 ? Number.MAX_VALUE : used / limit;
}

const BUDGET_SCOPES = ['worker', 'issue', 'day'] as const;
const BUDGET_MEASURES = ['wallMs', 'turns', 'tokens', 'unpricedTokens', 'usd'] as const;

/** Formats as `1.5 h of 2 h used by this worker`. */
export function describeBudgetUsage({ scope, measure, used, limit }: BudgetUsage): string {
  const amount = AMOUNT_FORMATS[measure];
  return `${amount(used)} of ${amount(limit)} used by ${SCOPE_OWNERS[scope]}`;
}

const SCOPE_OWNERS: Readonly<Record<BudgetScope, string>> = {
  worker: 'this worker',
  issue: 'all workers of the issue',
  day: 'all workers today',
};

const AMOUNT_FORMATS: Readonly<Record<keyof Budget, (amount: number) => string>> = {
  wallMs: describeDuration,
  turns: (turns) => formatCount(turns, 'turn'),
  tokens: formatTokens,
  unpricedTokens: (tokens) => `${formatTokens(tokens)} without a reported cost`,
  usd: formatDollars,
};

export type DayRefusal =
  | { readonly reason: 'budget_zero'; readonly fact: string }
  | { readonly reason: 'day_budget_spent'; readonly fact: string };

/**
 * Returns why the daily budget, or a budget of 0, keeps workers from starting. Returns undefined if
 * the budgets allow a start.
 */
export function refuseByDayBudget(
  spent: Spending | undefined,
  budgets: BudgetSettings,
): DayRefusal | undefined {
  const zero = findZeroBudget(budgets);
  if (zero !== undefined) return { reason: 'budget_zero', fact: `${zero}=0` };
  if (spent === undefined) return undefined;
  const used = { worker: NO_SPENDING, issue: NO_SPENDING, day: spent };
  const over = computeBudgetUsage(used, budgets).find(
    ({ level, scope }) => scope === 'day' && level === 'spent',
  );
  return over === undefined ? undefined : { reason: 'day_budget_spent', fact: describeBudgetUsage(over) };
}

/**
 * Returns the configuration key of a budget of 0, which blocks every start regardless of spending.
 */
function findZeroBudget({ issue, day }: BudgetSettings): string | undefined {
  const limits = {
    'budgets.issue.usd': issue.usd,
    'budgets.issue.tokens': issue.tokens,
    'budgets.day.usd': day.usd,
    'budgets.day.tokens': day.unpricedTokens,
  };
  return Object.entries(limits).find(([, limit]) => limit === 0)?.[0];
}

export interface Spending {
  readonly wallMs: number;
  readonly turns: number;
  readonly tokens: number;
  readonly usd: number;
  /**
   * Part of `tokens` from workers whose agents report no cost. Known only for sums over several
   * workers.
   */
  readonly unpricedTokens?: number;
}

/**
 * Returns the tokens that have no price. An agent that reports no cost spends tokens but no money.
 */
export function countUnpricedTokens({ tokens, usd }: Pick<Spending, 'tokens' | 'usd'>): number {
  return usd === 0 ? tokens : 0;
}

export const NO_SPENDING: Spending = { wallMs: 0, turns: 0, tokens: 0, usd: 0 };

export function sumSpending(...parts: readonly Spending[]): Spending {
  return parts.reduce(
    (sum, part) => ({
      wallMs: sum.wallMs + part.wallMs,
      turns: sum.turns + part.turns,
      tokens: sum.tokens + part.tokens,
      usd: sum.usd + part.usd,
    }),
    NO_SPENDING,
  );
}

/** Returns the part of `spent` that came after `before`. Never negative, even if the clock was set back. */
export function computeSpendingSince(spent: Spending, before: Spending): Spending {
  return {
    wallMs: Math.max(0, spent.wallMs - before.wallMs),
    turns: Math.max(0, spent.turns - before.turns),
    tokens: Math.max(0, spent.tokens - before.tokens),
    usd: Math.max(0, spent.usd - before.usd),
  };
}

/**
 * The span from one local midnight to the next, in ms since 1970. The caller computes it, because
 * only the caller knows the time zone.
 */
export interface LocalDay {
  readonly startedAt: number;
  readonly endsAt: number;
}

/** Spending of all workers in a quarter of an hour. */
export interface QuarterSpending {
  readonly usd: number;
  /**
   * Negative if this quarter records the cost of tokens that an earlier quarter recorded as
   * unpriced. Some agents report their cost only at the end of a turn.
   */
  readonly unpricedTokens: number;
}
