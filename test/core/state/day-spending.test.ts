import { describe, expect, test } from 'vitest';
import { fromSnapshot, toSnapshot } from '../../../src/core/state/snapshot.ts';
import { sumFleetSpendingSince } from '../../../src/core/state/spending.ts';
import { SmallWorld } from './small-world.ts';

const HOUR = 3_600_000;
const MIDNIGHT = 20_000 * 24 * HOUR;
const DAY = { startedAt: MIDNIGHT, endsAt: MIDNIGHT + 24 * HOUR };
const first = { issue: 'A-1', mode: 'plan', attempt: 1 } as const;

/** Creates an issue whose plan worker was started an hour before midnight. */
function planning(budgets: SmallWorld['budgets']): SmallWorld {
  const world = new SmallWorld();
  world.now = MIDNIGHT - HOUR;
  world.boardGoodUntil = Number.POSITIVE_INFINITY;
  world.budgets = budgets;
  world.day = DAY;
  world.add('A-1', { column: 'Todo', labels: ['chore'] });
  world.pass();
  return world;
}

const spend = (world: SmallWorld, tokens: number, usd: number) =>
  world.take({ type: 'attempt.spent', ...first, turns: 1, tokens, usd });

describe('daily spending', () => {
  test('counts from midnight and ignores everything spent before', () => {
    const world = planning({});
    spend(world, 100, 3);
    world.now = MIDNIGHT;
    spend(world, 150, 4.5);
    expect(sumFleetSpendingSince(world.state, MIDNIGHT)).toMatchObject({ usd: 1.5, unpricedTokens: 0 });
    expect(sumFleetSpendingSince(world.state, MIDNIGHT - 2 * HOUR).usd).toBe(4.5);
  });

  test('includes unpriced tokens only until the agent reports a cost', () => {
    const world = planning({});
    world.now = MIDNIGHT;
    spend(world, 1_000, 0);
    expect(sumFleetSpendingSince(world.state, MIDNIGHT).unpricedTokens).toBe(1_000);
    spend(world, 2_000, 0.5);
    expect(sumFleetSpendingSince(world.state, MIDNIGHT)).toMatchObject({ usd: 0.5, unpricedTokens: 0 });
  });

  test('is stored in snapshots per quarter hour, and old quarter hours are dropped', () => {
    const world = planning({});
    spend(world, 1, 1);
    expect(fromSnapshot(toSnapshot(world.state))?.spending).toEqual(world.state.spending);
    world.now += 49 * HOUR;
    spend(world, 2, 2);
    expect(world.state.spending.size).toBe(1);
  });
});

describe('a spent daily budget', () => {
  const waiting = (world: SmallWorld) => {
    world.add('B-1', { column: 'Todo', labels: ['chore'] });
    const step = world.pass();
    return { decision: world.state.issues.get('B-1')?.decision, wakeAt: step.wakeAt };
  };

  test.each([
    ['money', { day: { usd: 2 } }, 10, 2, '$2.00 of $2.00 used by all workers today'],
    [
      'tokens of an agent without a cost',
      { day: { unpricedTokens: 5_000 } },
      5_000,
      0,
      '5,000 tokens without a reported cost of 5,000 tokens without a reported cost used by all workers today',
    ],
  ])('(%s) prevents worker starts until midnight', (_, budgets, tokens, usd, fact) => {
    const world = planning(budgets);
    world.now = MIDNIGHT + HOUR;
    spend(world, tokens, usd);
    const { decision, wakeAt } = waiting(world);
    expect(decision).toMatchObject({
      action: 'skip',
      reason: 'day_budget_spent',
      evidence: expect.arrayContaining([fact]),
    });
    expect(wakeAt).toBe(DAY.endsAt);
    world.now = DAY.endsAt;
    world.day = { startedAt: DAY.endsAt, endsAt: DAY.endsAt + 24 * HOUR };
    world.pass();
    expect(world.state.workers.has('b-1-plan')).toBe(true);
  });

  test.each([
    ['budgets.day.usd', { day: { usd: 0 } }],
    ['budgets.day.tokens', { day: { unpricedTokens: 0 } }],
    ['budgets.issue.usd', { issue: { usd: 0 } }],
    ['budgets.issue.tokens', { issue: { tokens: 0 } }],
  ])(
    'of 0 in %s prevents worker starts, does not pause any issue, and is reported with its configuration key',
    (key, budgets) => {
      const world = planning(budgets);
      expect(world.state.workers.size).toBe(0);
      expect(world.state.issues.get('A-1')?.decision).toMatchObject({
        action: 'skip',
        reason: 'budget_zero',
        evidence: expect.arrayContaining([`${key}=0`]),
      });
    },
  );
});
