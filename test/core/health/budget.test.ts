import { describe, expect, test } from 'vitest';
import {
  type BudgetSettings,
  computeBudgetUsage,
  computeSpendingSince,
  DEFAULT_BUDGETS,
  describeBudgetUsage,
  NO_SPENDING,
  sumSpending,
} from '../../../src/core/health/budget.ts';

const HOUR = 3_600_000;

function budgets(given: Partial<BudgetSettings>): BudgetSettings {
  return { ...DEFAULT_BUDGETS, ...given };
}

describe('comparing spending with budgets', () => {
  test('ignores a measure without a limit, however much of it was used', () => {
    const much = { wallMs: 1e12, turns: 1e6, tokens: 1e12, usd: 1e6 };
    expect(computeBudgetUsage({ worker: much, issue: much }, DEFAULT_BUDGETS)).toEqual([]);
  });

  test.each([
    [0, 'within'],
    [79, 'within'],
    [80, 'near'],
    [99, 'near'],
    [100, 'spent'],
    [1_000, 'spent'],
    [Number.NaN, 'within'],
  ])('rates %d of 100 turns as %s', (turns, level) => {
    const worker = { ...NO_SPENDING, turns };
    const [weighed] = computeBudgetUsage({ worker, issue: worker }, budgets({ worker: { turns: 100 } }));
    expect(weighed).toMatchObject({ level, scope: 'worker', measure: 'turns', used: turns, limit: 100 });
  });

  test('sorts the budgets of all scopes by the share already used', () => {
    const worker = { wallMs: HOUR, turns: 1, tokens: 10, usd: 0.5 };
    const issue = { wallMs: 3 * HOUR, turns: 9, tokens: 10, usd: 0.5 };
    const weighed = computeBudgetUsage(
      { worker, issue },
      budgets({ worker: { wallMs: 2 * HOUR, usd: 1.5 }, issue: { turns: 10 } }),
    );
    expect(weighed.map(({ scope, measure, level }) => [scope, measure, level])).toEqual([
      ['issue', 'turns', 'near'],
      ['worker', 'wallMs', 'within'],
      ['worker', 'usd', 'within'],
    ]);
    expect(weighed.map(describeBudgetUsage)).toEqual([
      '9 turns of 10 turns used by all workers of the issue',
      '1 h of 2 h used by this worker',
      '$0.50 of $1.50 used by this worker',
    ]);
  });
});

describe('spending', () => {
  test('of several workers is summed by measure', () => {
    const one = { wallMs: 1, turns: 2, tokens: 3, usd: 0.5 };
    expect(sumSpending()).toEqual(NO_SPENDING);
    expect(sumSpending(one, one)).toEqual({ wallMs: 2, turns: 4, tokens: 6, usd: 1 });
  });

  test('since an earlier measurement is never negative, even if the clock was set back', () => {
    const before = { wallMs: 10, turns: 1, tokens: 5, usd: 1 };
    const now = { wallMs: 4, turns: 3, tokens: 5, usd: 1.5 };
    expect(computeSpendingSince(now, before)).toEqual({ wallMs: 0, turns: 2, tokens: 0, usd: 0.5 });
  });
});
