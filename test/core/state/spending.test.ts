import { describe, expect, test } from 'vitest';
import { chargedTo, spentBy } from '../../../src/swarm/spending.ts';
import { workersOf } from '../../../src/swarm/workers.ts';
import { SmallWorld } from './small-world.ts';

const life = { issue: 'A-1', mode: 'plan' } as const;
const first = { ...life, attempt: 1 } as const;

function planning(budgets: SmallWorld['budgets']): SmallWorld {
  const world = new SmallWorld();
  world.budgets = budgets;
  world.add('A-1', { column: 'Todo', labels: ['chore'] });
  world.pass();
  return world;
}

const worker = (world: SmallWorld) => {
  const record = world.swarm.workers.get('a-1-plan');
  if (record === undefined) throw new Error('there is no worker');
  return record;
};
const charged = (world: SmallWorld) => chargedTo(workersOf(world.swarm, 'A-1'), 'plan', world.now).worker;
const idleTurns = (world: SmallWorld) => worker(world).spent.progress.idleTurns;

function turn(world: SmallWorld, turns: number, changedAt?: number): void {
  const changed = changedAt === undefined ? {} : { changedAt };
  world.take({ type: 'attempt.spent', ...first, turns, tokens: 100 * turns, usd: 0, ...changed });
}

describe('what a worker has used up', () => {
  test('is the sum of its attempts, with the time of each until its end', () => {
    const world = planning({});
    const began = worker(world).facts.dispatchedAt;
    turn(world, 2);
    world.now = began + 60_000;
    world.take({ type: 'attempt.crashed', ...first, evidence: ['gone'] });
    world.now = began + 600_000;
    world.take({
      ...{ type: 'attempt.dispatched', ...life, attempt: 2, session: 's', version: 0, host: 'here' },
    });
    world.take({ type: 'attempt.spent', ...life, attempt: 2, turns: 1, tokens: 7, usd: 0.5 });
    world.now += 5_000;
    expect(spentBy(worker(world), world.now)).toEqual({ wallMs: 65_000, turns: 3, tokens: 207, usd: 0.5 });
  });

  test('does not grow while it waits for a person', () => {
    const world = planning({});
    world.now = worker(world).facts.dispatchedAt + 10_000;
    world.take({ type: 'attempt.waiting', ...first, wait: 1, for: 'user' });
    world.now += 3_600_000;
    expect(charged(world).wallMs).toBe(10_000);
  });

  test('does not grow while the machine sleeps, and is not less because its clock was set back', () => {
    const world = planning({});
    const began = worker(world).facts.dispatchedAt;
    world.now = began + 3_600_000 + 5_000;
    world.take({ type: 'clock.jumped', jump: 1, byMs: 3_600_000 });
    expect(charged(world).wallMs).toBe(5_000);
    world.now = began + 10_000;
    world.take({ type: 'clock.jumped', jump: 2, byMs: -3_600_000 });
    expect(charged(world).wallMs).toBe(10_000);
  });

  test('counts from where a person last let it go on', () => {
    const world = planning({});
    turn(world, 3);
    world.now += 10_000;
    world.take({ type: 'attempt.stopped', ...first, why: 'a budget is used up' });
    world.take({ type: 'crashes.reset', ...life, generation: 1, by: 'ada' });
    expect(charged(world)).toEqual({ wallMs: 0, turns: 0, tokens: 0, usd: 0 });
    expect(spentBy(worker(world), world.now)).toMatchObject({ turns: 3, tokens: 300 });
  });

  test('is not less because an older account of it came late', () => {
    const world = planning({});
    turn(world, 3);
    turn(world, 2);
    expect(charged(world)).toMatchObject({ turns: 3, tokens: 300 });
  });
});

describe('a turn', () => {
  test('without a change, a report, a question or a checkpoint is idle, also several that are counted at once', () => {
    const world = planning({});
    world.now += 1_000;
    turn(world, 1, 0);
    turn(world, 3, 0);
    expect(idleTurns(world)).toBe(3);
  });

  test.each<[string, (world: SmallWorld) => void]>([
    [
      'a checkpoint',
      (world) =>
        world.take({
          type: 'checkpoint.saved',
          ...first,
          checkpoint: 1,
          stage: 's',
          completed: [],
          remaining: [],
          lastAction: '',
        }),
    ],
    ['a question', (world) => world.take({ type: 'attempt.waiting', ...first, wait: 1, for: 'user' })],
    [
      'a report',
      (world) => world.take({ type: 'attempt.reported', ...first, report: 1, outcome: 'done', summary: '' }),
    ],
  ])('with %s is progress', (_, leave) => {
    const world = planning({});
    turn(world, 2, 0);
    leave(world);
    turn(world, 3, 0);
    expect(idleTurns(world)).toBe(0);
    turn(world, 4, 0);
    expect(idleTurns(world)).toBe(1);
  });

  test('with a change in its workspace is progress, and so is one after which that could not be read', () => {
    const world = planning({});
    turn(world, 2, 0);
    world.now += 1_000;
    turn(world, 3, world.now);
    expect(idleTurns(world)).toBe(0);
    turn(world, 5, 0);
    turn(world, 6);
    expect(idleTurns(world)).toBe(0);
  });
});

test('a change after the clock was set back is progress', () => {
  const world = planning({});
  world.now += 3_600_000;
  turn(world, 2, 0);
  world.now -= 1_800_000;
  world.take({ type: 'clock.jumped', jump: 1, byMs: -1_800_000 });
  world.now += 1_000;
  turn(world, 3, world.now);
  expect(idleTurns(world)).toBe(0);
});

describe('a worker whose budget is used up', () => {
  test('is not started again: the issue is paused and a person is told once', () => {
    const world = planning({ worker: { turns: 3 } });
    turn(world, 3);
    world.take({ type: 'attempt.stopped', ...first, why: 'a budget is used up' });
    world.now += 60_000;
    world.pass();
    world.pass();
    expect(world.issues.get('A-1')?.labels).toContain('legion-paused');
    const escalations = world.performed.filter((command) => command.kind === 'escalate');
    expect(escalations).toMatchObject([
      { text: expect.stringContaining('3 turns of 3 turns are used by this worker') },
    ]);
    expect(world.performed.filter(({ kind }) => kind === 'spawn')).toHaveLength(1);
  });

  test('goes on when a person has let it', () => {
    const world = planning({ issue: { tokens: 300 } });
    turn(world, 3);
    world.take({ type: 'attempt.stopped', ...first, why: 'a budget is used up' });
    world.pass();
    world.take({ type: 'crashes.reset', ...life, generation: 1, by: 'ada' });
    world.add('A-1', { column: 'Todo', labels: ['chore'] });
    world.now += 60_000;
    world.pass();
    expect(world.performed.filter(({ kind }) => kind === 'spawn')).toHaveLength(2);
  });
});

test('a worker that got nowhere is not started again by itself', () => {
  const world = planning({});
  world.now += 1_000;
  turn(world, 3, 0);
  world.take({ type: 'attempt.stopped', ...first, why: 'no progress' });
  world.now += 60_000;
  const { issues } = world.pass();
  expect(issues[0]?.decisions.map(({ reason }) => reason)).toContain('no_progress');
  expect(world.issues.get('A-1')?.labels).toContain('legion-paused');
});

test('what a worker was told is told once in an attempt, and not after its end', () => {
  const world = planning({});
  const warned = { type: 'attempt.warned', ...first, warning: 'worker turns', why: 'nearly' } as const;
  world.take(warned);
  world.take(warned);
  world.take({ type: 'attempt.asked_to_stop', ...first, why: 'used up' });
  const askedAt = world.now;
  world.now += 5_000;
  world.take({ type: 'attempt.asked_to_stop', ...first, why: 'again' });
  expect(worker(world)).toMatchObject({
    warnings: ['worker turns'],
    askedToStop: { at: askedAt, why: 'used up' },
  });
  world.take({ type: 'attempt.stopped', ...first, why: 'stopped' });
  world.take({ ...warned, warning: 'issue usd' });
  expect(worker(world).warnings).toEqual(['worker turns']);
});

test('a worker that is let go on while it is alive is warned and asked anew before it is stopped', () => {
  const world = planning({});
  world.take({ type: 'attempt.warned', ...first, warning: 'worker turns', why: 'nearly' });
  world.take({ type: 'attempt.asked_to_stop', ...first, why: 'used up' });
  world.take({ type: 'crashes.reset', ...life, generation: 1, by: 'ada' });
  expect(worker(world)).toMatchObject({ warnings: [] });
  expect(worker(world).askedToStop).toBeUndefined();
});

test('a warning from before a person let the worker continue counts no second time', () => {
  const world = planning({});
  const before = { ...first, generation: 0 };
  const warned = { type: 'attempt.warned', ...before, warning: 'worker turns', why: 'nearly' } as const;
  const asked = { type: 'attempt.asked_to_stop', ...before, why: 'used up' } as const;
  world.take(warned);
  world.take(asked);
  world.take({ type: 'crashes.reset', ...life, generation: 1, by: 'ada' });
  world.take(warned);
  world.take(asked);
  expect(worker(world)).toMatchObject({ warnings: [] });
  expect(worker(world).askedToStop).toBeUndefined();
  world.take({ ...warned, generation: 1 });
  expect(worker(world)).toMatchObject({ warnings: ['worker turns'] });
});
