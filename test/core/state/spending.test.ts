import { describe, expect, test } from 'vitest';
import { computeChargedSpending, computeWorkerSpending } from '../../../src/core/state/spending.ts';
import { listIssueWorkers } from '../../../src/core/state/workers.ts';
import { SmallWorld } from './small-world.ts';

const identity = { issue: 'A-1', mode: 'plan' } as const;
const first = { ...identity, attempt: 1 } as const;

function planning(budgets: SmallWorld['budgets']): SmallWorld {
  const world = new SmallWorld();
  world.budgets = budgets;
  world.add('A-1', { column: 'Todo', labels: ['chore'] });
  world.pass();
  return world;
}

const worker = (world: SmallWorld) => {
  const record = world.state.workers.get('a-1-plan');
  if (record === undefined) throw new Error('the worker does not exist');
  return record;
};
const charged = (world: SmallWorld) =>
  computeChargedSpending(listIssueWorkers(world.state, 'A-1'), 'plan', world.now).worker;
const idleTurns = (world: SmallWorld) => worker(world).spent.progress.idleTurns;

function turn(world: SmallWorld, turns: number, changedAt?: number): void {
  const changed = changedAt === undefined ? {} : { changedAt };
  world.take({ type: 'attempt.spent', ...first, turns, tokens: 100 * turns, usd: 0, ...changed });
}

describe('the spending of a worker', () => {
  test('is the sum over its attempts, each with the time until its end', () => {
    const world = planning({});
    const began = worker(world).facts.dispatchedAt;
    turn(world, 2);
    world.now = began + 60_000;
    world.take({ type: 'attempt.crashed', ...first, evidence: ['gone'] });
    world.now = began + 600_000;
    world.take({
      type: 'attempt.dispatched',
      ...identity,
      attempt: 2,
      session: 's',
      version: 0,
      host: 'here',
    });
    world.take({ type: 'attempt.spent', ...identity, attempt: 2, turns: 1, tokens: 7, usd: 0.5 });
    world.now += 5_000;
    expect(computeWorkerSpending(worker(world), world.now)).toEqual({
      wallMs: 65_000,
      turns: 3,
      tokens: 207,
      usd: 0.5,
    });
  });

  test('does not grow while the worker waits for a person', () => {
    const world = planning({});
    world.now = worker(world).facts.dispatchedAt + 10_000;
    world.take({ type: 'attempt.waiting', ...first, wait: 1, for: 'user' });
    world.now += 3_600_000;
    expect(charged(world).wallMs).toBe(10_000);
  });

  test('does not include time when the machine is asleep or time by which the clock is set back', () => {
    const world = planning({});
    const began = worker(world).facts.dispatchedAt;
    world.now = began + 3_600_000 + 5_000;
    world.take({ type: 'clock.jumped', jump: 1, byMs: 3_600_000 });
    expect(charged(world).wallMs).toBe(5_000);
    world.now = began + 10_000;
    world.take({ type: 'clock.jumped', jump: 2, byMs: -3_600_000 });
    expect(charged(world).wallMs).toBe(10_000);
  });

  test('is counted from the last time at which a person let the worker continue', () => {
    const world = planning({});
    turn(world, 3);
    world.now += 10_000;
    world.take({ type: 'attempt.stopped', ...first, why: 'a budget is used up' });
    world.take({ type: 'crashes.reset', ...identity, generation: 1, by: 'ada' });
    expect(charged(world)).toEqual({ wallMs: 0, turns: 0, tokens: 0, usd: 0 });
    expect(computeWorkerSpending(worker(world), world.now)).toMatchObject({ turns: 3, tokens: 300 });
  });

  test('does not shrink when an older amount is reported late', () => {
    const world = planning({});
    turn(world, 3);
    turn(world, 2);
    expect(charged(world)).toMatchObject({ turns: 3, tokens: 300 });
  });
});

describe('a turn', () => {
  test('without a change, report, question or checkpoint is idle, even if several turns are reported in one event', () => {
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

  test('is progress if it changes the workspace or if the workspace cannot be read', () => {
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

test('a workspace change counts as progress even if the clock was set back before it', () => {
  const world = planning({});
  world.now += 3_600_000;
  turn(world, 2, 0);
  world.now -= 1_800_000;
  world.take({ type: 'clock.jumped', jump: 1, byMs: -1_800_000 });
  world.now += 1_000;
  turn(world, 3, world.now);
  expect(idleTurns(world)).toBe(0);
});

describe('a worker that used up its budget', () => {
  test('is not restarted; its issue is paused, and a person is notified once', () => {
    const world = planning({ worker: { turns: 3 } });
    turn(world, 3);
    world.take({ type: 'attempt.stopped', ...first, why: 'a budget is used up' });
    world.now += 60_000;
    world.pass();
    world.pass();
    expect(world.issues.get('A-1')?.labels).toContain('legion-paused');
    const escalations = world.performed.filter((command) => command.kind === 'escalate');
    expect(escalations).toMatchObject([
      { text: expect.stringContaining('3 turns of 3 turns used by this worker') },
    ]);
    expect(world.performed.filter(({ kind }) => kind === 'spawn')).toHaveLength(1);
  });

  test('continues when a person resumes it', () => {
    const world = planning({ issue: { tokens: 300 } });
    turn(world, 3);
    world.take({ type: 'attempt.stopped', ...first, why: 'a budget is used up' });
    world.pass();
    world.take({ type: 'crashes.reset', ...identity, generation: 1, by: 'ada' });
    world.add('A-1', { column: 'Todo', labels: ['chore'] });
    world.now += 60_000;
    world.pass();
    expect(world.performed.filter(({ kind }) => kind === 'spawn')).toHaveLength(2);
  });
});

test('a worker without progress is not restarted automatically', () => {
  const world = planning({});
  world.now += 1_000;
  turn(world, 3, 0);
  world.take({ type: 'attempt.stopped', ...first, why: 'no progress' });
  world.now += 60_000;
  const { issues } = world.pass();
  expect(issues[0]?.decisions.map(({ reason }) => reason)).toContain('no_progress');
  expect(world.issues.get('A-1')?.labels).toContain('legion-paused');
});

test('warnings and stop requests are recorded once per attempt, and never after the attempt has ended', () => {
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

test('a running worker that is resumed is warned and asked to stop again before it is stopped', () => {
  const world = planning({});
  world.take({ type: 'attempt.warned', ...first, warning: 'worker turns', why: 'nearly' });
  world.take({ type: 'attempt.asked_to_stop', ...first, why: 'used up' });
  world.take({ type: 'crashes.reset', ...identity, generation: 1, by: 'ada' });
  expect(worker(world)).toMatchObject({ warnings: [] });
  expect(worker(world).askedToStop).toBeUndefined();
});

test('ignores a repeat of a warning that was first given before a person resumed the worker', () => {
  const world = planning({});
  const before = { ...first, generation: 0 };
  const warned = { type: 'attempt.warned', ...before, warning: 'worker turns', why: 'nearly' } as const;
  const asked = { type: 'attempt.asked_to_stop', ...before, why: 'used up' } as const;
  world.take(warned);
  world.take(asked);
  world.take({ type: 'crashes.reset', ...identity, generation: 1, by: 'ada' });
  world.take(warned);
  world.take(asked);
  expect(worker(world)).toMatchObject({ warnings: [] });
  expect(worker(world).askedToStop).toBeUndefined();
  world.take({ ...warned, generation: 1 });
  expect(worker(world)).toMatchObject({ warnings: ['worker turns'] });
});
