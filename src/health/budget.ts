/** Whether what a worker, or all workers of an issue, have used up is still within what they may use. */
import type { Spending } from './spending.ts';
import { inWords } from './words.ts';

/** Absent: no limit. */
export interface Budget {
  readonly wallMs?: number;
  readonly turns?: number;
  readonly tokens?: number;
  readonly usd?: number;
}

export interface Budgets {
  readonly worker: Budget;
  readonly issue: Budget;
  /** The share of a budget at which a warning is given. */
  readonly warnAt: number;
  /** Turns without progress that end an attempt. */
  readonly idleTurns: number;
}

/** What the specification asks for where an operator says nothing: no limits, but for turns that lead nowhere. */
export const DEFAULT_BUDGETS: Budgets = { worker: {}, issue: {}, warnAt: 0.8, idleTurns: 3 };

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

type Scope = 'worker' | 'issue';

/** Every measure that has a limit, the one that is used up the most first. */
export function weigh(used: Readonly<Record<Scope, Spending>>, budgets: Budgets): readonly Weighed[] {
  const weighed = SCOPES.flatMap((scope) =>
    MEASURES.flatMap((measure) => {
      const limit = budgets[scope][measure];
      return limit === undefined
        ? []
        : [weighOne(scope, measure, used[scope][measure], limit, budgets.warnAt)];
    }),
  );
  return weighed.sort((a, b) => b.used / b.limit - a.used / a.limit);
}

function weighOne(scope: Scope, measure: keyof Budget, used: number, limit: number, warnAt: number): Weighed {
  // Written so that an amount that cannot be read never counts as spent: a wrong number must not stop anybody.
  const level = used >= limit ? 'spent' : used >= limit * warnAt ? 'near' : 'within';
  return { level, scope, measure, used, limit };
}

const SCOPES = ['worker', 'issue'] as const;
const MEASURES = ['wallMs', 'turns', 'tokens', 'usd'] as const;

/** `1.5 h of 2 h are used by this worker`. */
export function weighedInWords({ scope, measure, used, limit }: Weighed): string {
  const amount = AMOUNTS[measure];
  const whose = scope === 'worker' ? 'this worker' : 'all workers of the issue';
  return `${amount(used)} of ${amount(limit)} are used by ${whose}`;
}

const AMOUNTS: Readonly<Record<keyof Budget, (amount: number) => string>> = {
  wallMs: inWords,
  turns: (turns) => `${turns} ${turns === 1 ? 'turn' : 'turns'}`,
  tokens: (tokens) => `${tokens.toLocaleString('en')} tokens`,
  usd: (usd) => `$${usd.toFixed(2)}`,
};
