/** What workers use up: time, turns, tokens and money. */

export interface Spending {
  readonly wallMs: number;
  readonly turns: number;
  readonly tokens: number;
  readonly usd: number;
  /** Of `tokens`, those of workers whose agents report no cost; known only where several workers are summed up. */
  readonly unpricedTokens?: number;
}

/** An agent that reports no cost has spent tokens and no money. */
export function unpricedTokensOf({ tokens, usd }: Pick<Spending, 'tokens' | 'usd'>): number {
  return usd === 0 ? tokens : 0;
}

export const NOTHING_SPENT: Spending = { wallMs: 0, turns: 0, tokens: 0, usd: 0 };

export function sumOf(...parts: readonly Spending[]): Spending {
  return parts.reduce(
    (sum, part) => ({
      wallMs: sum.wallMs + part.wallMs,
      turns: sum.turns + part.turns,
      tokens: sum.tokens + part.tokens,
      usd: sum.usd + part.usd,
    }),
    NOTHING_SPENT,
  );
}

/** What was spent after `before`; never less than nothing, whatever a clock that was set back may suggest. */
export function since(spent: Spending, before: Spending): Spending {
  return {
    wallMs: Math.max(0, spent.wallMs - before.wallMs),
    turns: Math.max(0, spent.turns - before.turns),
    tokens: Math.max(0, spent.tokens - before.tokens),
    usd: Math.max(0, spent.usd - before.usd),
  };
}
