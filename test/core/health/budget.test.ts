import { describe, expect, test } from 'vitest';
import { type Budgets, DEFAULT_BUDGETS, weigh, weighedInWords } from '../../../src/health/budget.ts';
import { NOTHING_SPENT, since, sumOf } from '../../../src/health/spending.ts';

const HOUR = 3_600_000;

function budgets(given: Partial<Budgets>): Budgets {
  return { ...DEFAULT_BUDGETS, ...given };
}

describe('weighing', () => {
  test('without a limit nothing is weighed, however much was used', () => {
    const much = { wallMs: 1e12, turns: 1e6, tokens: 1e12, usd: 1e6 };
    expect(weigh({ worker: much, issue: much }, DEFAULT_BUDGETS)).toEqual([]);
  });

  test.each([
    [0, 'within'],
    [79, 'within'],
    [80, 'near'],
    [99, 'near'],
    [100, 'spent'],
    [1_000, 'spent'],
    [Number.NaN, 'within'],
  ])('%d of 100 turns are %s', (turns, level) => {
    const worker = { ...NOTHING_SPENT, turns };
    const [weighed] = weigh({ worker, issue: worker }, budgets({ worker: { turns: 100 } }));
    expect(weighed).toMatchObject({ level, scope: 'worker', measure: 'turns', used: turns, limit: 100 });
  });

  test('what is used up the most comes first, whoever used it', () => {
    const worker = { wallMs: HOUR, turns: 1, tokens: 10, usd: 0.5 };
    const issue = { wallMs: 3 * HOUR, turns: 9, tokens: 10, usd: 0.5 };
    const weighed = weigh(
      { worker, issue },
      budgets({ worker: { wallMs: 2 * HOUR, usd: 1.5 }, issue: { turns: 10 } }),
    );
    expect(weighed.map(({ scope, measure, level }) => [scope, measure, level])).toEqual([
      ['issue', 'turns', 'near'],
      ['worker', 'wallMs', 'within'],
      ['worker', 'usd', 'within'],
    ]);
    expect(weighed.map(weighedInWords)).toEqual([
      '9 turns of 10 turns are used by all workers of the issue',
      '1 h of 2 h are used by this worker',
      '$0.50 of $1.50 are used by this worker',
    ]);
  });
});

describe('spending', () => {
  test('adds up', () => {
    const one = { wallMs: 1, turns: 2, tokens: 3, usd: 0.5 };
    expect(sumOf()).toEqual(NOTHING_SPENT);
    expect(sumOf(one, one)).toEqual({ wallMs: 2, turns: 4, tokens: 6, usd: 1 });
  });

  test('after a grant is never less than nothing', () => {
    const before = { wallMs: 10, turns: 1, tokens: 5, usd: 1 };
    const now = { wallMs: 4, turns: 3, tokens: 5, usd: 1.5 };
    expect(since(now, before)).toEqual({ wallMs: 0, turns: 2, tokens: 0, usd: 0.5 });
  });
});
