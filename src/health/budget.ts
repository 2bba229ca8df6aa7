/** Whether what a worker, or all workers of an issue, have used up is still within what they may use. */
import { counted, dollars, tokensText } from '../domain/format.ts';
import type { Spending } from './spending.ts';
import { inWords } from './words.ts';

/** Absent: no limit. */
export interface Budget {
  readonly wallMs?: number;
  readonly turns?: number;
  readonly tokens?: number;
  /** Tokens of workers whose agents report no cost: the only measure of what those spend. */
  readonly unpricedTokens?: number;
  readonly usd?: number;
}

export interface Budgets {
  readonly worker: Budget;
  readonly issue: Budget;
  /** Of all workers together, from one local midnight to the next. */
  readonly day: Budget;
  /** The share of a budget at which a warning is given. */
  readonly warnAt: number;
  /** Turns without progress that end an attempt. */
  readonly idleTurns: number;
}

/** What the specification asks for where an operator says nothing: no limits, but for turns that lead nowhere. */
export const DEFAULT_BUDGETS: Budgets = { worker: {}, issue: {}, day: {}, warnAt: 0.8, idleTurns: 3 };

/**
 * - `within` nothing to say.
 * - `near`   a warning is due, once for each measure.
 * - `spent`  it may not go on.
 */
export interface Weighed {
  readonly level: 'within' | 'near' | 'spent';
  readonly scope: Scope;
  readonly measure: keyof Budget;
  readonly used: number;
  readonly limit: number;
}

type Scope = 'worker' | 'issue' | 'day';

/** The day is absent where nobody counts days. */
export type SpendingByScope = Readonly<Record<'worker' | 'issue', Spending>> & {
  readonly day?: Spending | undefined;
};

/** Every measure that has a limit, the one that is used up the most first. */
export function weigh(used: SpendingByScope, budgets: Budgets): readonly Weighed[] {
  const weighed: Weighed[] = [];
  for (const scope of SCOPES) {
    const spent = used[scope];
    if (spent === undefined) continue;
    for (const measure of MEASURES) {
      const limit = budgets[scope][measure];
      if (limit !== undefined)
        weighed.push(weighOne(scope, measure, spent[measure] ?? 0, limit, budgets.warnAt));
    }
  }
  return weighed.sort((a, b) => shareOf(b) - shareOf(a));
}

function weighOne(scope: Scope, measure: keyof Budget, used: number, limit: number, warnAt: number): Weighed {
  // Written so that an amount that cannot be read never counts as spent: a wrong number must not stop anybody.
  const level = used >= limit ? 'spent' : used >= limit * warnAt ? 'near' : 'within';
  return { level, scope, measure, used, limit };
}

/** A limit of nothing is always used up. */
function shareOf({ used, limit }: Weighed): number {
  return limit === 0 ? Number.MAX_VALUE : used / limit;
}

const SCOPES = ['worker', 'issue', 'day'] as const;
const MEASURES = ['wallMs', 'turns', 'tokens', 'unpricedTokens', 'usd'] as const;

/** `1.5 h of 2 h are used by this worker`. */
export function weighedInWords({ scope, measure, used, limit }: Weighed): string {
  const amount = AMOUNTS[measure];
  return `${amount(used)} of ${amount(limit)} are used by ${WHOSE[scope]}`;
}

const WHOSE: Readonly<Record<Scope, string>> = {
  worker: 'this worker',
  issue: 'all workers of the issue',
  day: 'all workers today',
};

const AMOUNTS: Readonly<Record<keyof Budget, (amount: number) => string>> = {
  wallMs: inWords,
  turns: (turns) => counted(turns, 'turn'),
  tokens: tokensText,
  unpricedTokens: (tokens) => `${tokensText(tokens)} without a reported cost`,
  usd: dollars,
};
