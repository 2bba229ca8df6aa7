import { describe, expect, test } from 'vitest';
import { fromSnapshot, toSnapshot } from '../../../src/core/state/snapshot.ts';
import { spentSince } from '../../../src/swarm/day-spending.ts';
import { SmallWorld } from './small-world.ts';

const HOUR = 3_600_000;
const MIDNIGHT = 20_000 * 24 * HOUR;
const DAY = { startedAt: MIDNIGHT, endsAt: MIDNIGHT + 24 * HOUR };
const first = { issue: 'A-1', mode: 'plan', attempt: 1 } as const;

/** An issue whose plan worker runs, an hour before the day begins. */
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

describe('what is spent in a day', () => {
  test('counts from midnight, whatever a worker spent before', () => {
    const world = planning({});
    spend(world, 100, 3);
    world.now = MIDNIGHT;
    spend(world, 150, 4.5);
    expect(spentSince(world.swarm, MIDNIGHT)).toMatchObject({ usd: 1.5, unpricedTokens: 0 });
    expect(spentSince(world.swarm, MIDNIGHT - 2 * HOUR).usd).toBe(4.5);
  });

  test('counts tokens only where no cost is reported, also where it is reported late', () => {
    const world = planning({});
    world.now = MIDNIGHT;
    spend(world, 1_000, 0);
    expect(spentSince(world.swarm, MIDNIGHT).unpricedTokens).toBe(1_000);
    spend(world, 2_000, 0.5);
    expect(spentSince(world.swarm, MIDNIGHT)).toMatchObject({ usd: 0.5, unpricedTokens: 0 });
  });

  test('survives a snapshot, and what no day can reach is dropped', () => {
    const world = planning({});
    spend(world, 1, 1);
    expect(fromSnapshot(toSnapshot(world.swarm))?.spending).toEqual(world.swarm.spending);
    world.now += 49 * HOUR;
    spend(world, 2, 2);
    expect(world.swarm.spending.size).toBe(1);
  });
});

describe('a spent day', () => {
  const waiting = (world: SmallWorld) => {
    world.add('B-1', { column: 'Todo', labels: ['chore'] });
    const step = world.pass();
    return { decision: world.swarm.issues.get('B-1')?.decision, wakeAt: step.wakeAt };
  };

  test.each([
    ['money', { day: { usd: 2 } }, 10, 2, '$2.00 of $2.00 are used by all workers today'],
    [
      'tokens of an agent without a cost',
      { day: { unpricedTokens: 5_000 } },
      5_000,
      0,
      '5,000 tokens without a reported cost of 5,000 tokens without a reported cost are used by all workers today',
    ],
  ])('by %s starts nothing until midnight', (_, budgets, tokens, usd, fact) => {
    const world = planning(budgets);
    world.now = MIDNIGHT + HOUR;
    spend(world, tokens, usd);
    const { decision, wakeAt } = waiting(world);
    expect(decision).toMatchObject({
      ...{ action: 'skip', reason: 'day_budget_spent' },
      evidence: expect.arrayContaining([fact]),
    });
    expect(wakeAt).toBe(DAY.endsAt);
    world.now = DAY.endsAt;
    world.day = { startedAt: DAY.endsAt, endsAt: DAY.endsAt + 24 * HOUR };
    world.pass();
    expect(world.swarm.workers.has('b-1-plan')).toBe(true);
  });

  test.each([
    ['budgets.day.usd', { day: { usd: 0 } }],
    ['budgets.day.tokens', { day: { unpricedTokens: 0 } }],
    ['budgets.issue.usd', { issue: { usd: 0 } }],
    ['budgets.issue.tokens', { issue: { tokens: 0 } }],
  ])('%s of zero starts nothing, pauses nothing and names the key', (key, budgets) => {
    const world = planning(budgets);
    expect(world.swarm.workers.size).toBe(0);
    expect(world.swarm.issues.get('A-1')?.decision).toMatchObject({
      action: 'skip',
      reason: 'budget_zero',
      evidence: expect.arrayContaining([`${key}=0`]),
    });
  });
});
