/** What all workers have spent since a moment, such as local midnight, as far as the journal knows. */

import type { Swarm } from '../core/state/state.ts';
import { NOTHING_SPENT, type Spending, unpricedTokensOf } from '../health/spending.ts';

/** Every time zone is a whole number of them away from any other. */
const QUARTER_MS = 15 * 60_000;

/** Two days: the longest local day has 25 hours, and the oldest quarter must not be the day's own. */
const KEPT_QUARTERS = 2 * 24 * 4;

type Amounts = Pick<Spending, 'tokens' | 'usd'>;

/** Adds what came on top of `before`; quarters that no day can reach any more are dropped. */
export function recordSpending({ spending }: Swarm, at: number, before: Amounts, after: Amounts): void {
  const quarter = Math.floor(at / QUARTER_MS);
  const { usd, unpricedTokens } = spending.get(quarter) ?? { usd: 0, unpricedTokens: 0 };
  spending.set(quarter, {
    usd: usd + after.usd - before.usd,
    unpricedTokens: unpricedTokens + unpricedTokensOf(after) - unpricedTokensOf(before),
  });
  for (const old of spending.keys()) if (old < quarter - KEPT_QUARTERS) spending.delete(old);
}

export function spentSince({ spending }: Swarm, since: number): Spending {
  let usd = 0;
  let unpricedTokens = 0;
  for (const [quarter, spent] of spending) {
    if (quarter * QUARTER_MS < since) continue;
    usd += spent.usd;
    unpricedTokens += spent.unpricedTokens;
  }
  return { ...NOTHING_SPENT, usd, unpricedTokens: Math.max(0, unpricedTokens) };
}
