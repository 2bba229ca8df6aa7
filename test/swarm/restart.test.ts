import { describe, expect, test } from 'vitest';
import { workerId } from '../../src/core/model/ids.ts';
import { lifecycleOf } from '../../src/domain/lifecycle.ts';
import { SmallWorld } from '../core/state/small-world.ts';

const life = { issue: 'A-1', mode: 'plan' } as const;

describe('a worker that failed', () => {
  test('starts again after the back-off, told that it crashed, and says when', () => {
    const world = planning();
    world.take({ type: 'attempt.crashed', ...life, attempt: 1, evidence: ['process gone', 'no report'] });
    const { issues, wakeAt } = world.pass();
    expect(issues[0]?.decisions.at(-1)).toMatchObject({ action: 'skip', reason: 'respawn_wait' });
    expect(wakeAt).toBe(2_000 + 10_000);
    world.now = 12_000;
    world.pass();
    expect(spawns(world)).toMatchObject([
      { attempt: 1, purpose: 'start' },
      { attempt: 2, purpose: 'crash' },
    ]);
  });

  test('is not replaced while something of it is still there: that is stopped first', () => {
    const world = planning();
    world.take({ type: 'attempt.spawned', ...life, attempt: 1, pid: 42, startTime: '7' });
    world.take({ type: 'attempt.crashed', ...life, attempt: 1, evidence: ['silent', 'no CPU'] });
    world.now = 60_000;
    world.pass();
    expect(spawns(world)).toHaveLength(1);
    expect(world.performed.at(-1)).toMatchObject({ kind: 'stop', issue: 'A-1', mode: 'plan', attempt: 1 });
    world.take({ type: 'attempt.exited', ...life, attempt: 1, code: null, signal: 'SIGTERM' });
    world.pass();
    expect(spawns(world)).toHaveLength(2);
  });

  test('is replaced although a zombie of it is left', () => {
    const world = planning();
    world.take({ type: 'attempt.spawned', ...life, attempt: 1, pid: 42, startTime: '7' });
    world.take({ type: 'attempt.crashed', ...life, attempt: 1, evidence: ['silent', 'no CPU'] });
    world.take({ type: 'attempt.zombie', ...life, attempt: 1, pid: 42 });
    world.now = 60_000;
    world.pass();
    expect(spawns(world)).toHaveLength(2);
  });

  test('is paused after its second crash, and a person is told once', () => {
    const world = planning();
    for (const attempt of [1, 2]) {
      world.take({ type: 'attempt.crashed', ...life, attempt, evidence: ['process gone', 'no report'] });
      world.now += 60_000;
      world.pass();
    }
    world.pass();
    expect(world.issues.get('A-1')?.labels).toContain('legion-paused');
    expect(stateOf(world)).toBe('paused');
    expect(spawns(world)).toHaveLength(2);
    expect(world.performed.filter(({ kind }) => kind === 'escalate')).toHaveLength(1);
  });

  test('that is let go on and fails in the very same way is told of again', () => {
    const world = planning();
    const fail = (attempt: number) => {
      world.take({ type: 'attempt.crashed', ...life, attempt, evidence: ['process gone', 'no report'] });
      world.now += 60_000;
      world.pass();
    };
    for (const attempt of [1, 2]) fail(attempt);
    world.take({ type: 'rounds.reset', issue: 'A-1', generation: 1, by: 'ada' });
    world.take({ type: 'crashes.reset', ...life, generation: 1, by: 'ada' });
    world.add('A-1', { column: 'Todo', labels: [] });
    world.pass();
    for (const attempt of [3, 4]) fail(attempt);
    const told = world.performed.flatMap((command) => (command.kind === 'escalate' ? [command.key] : []));
    expect(new Set(told).size).toBe(2);
  });

  test('may start again after a person has reset the count and unpaused the issue', () => {
    const world = planning();
    for (const attempt of [1, 2]) {
      world.take({ type: 'attempt.crashed', ...life, attempt, evidence: ['process gone', 'no report'] });
      world.now += 60_000;
      world.pass();
    }
    world.take({ type: 'crashes.reset', ...life, generation: 1, by: 'ada' });
    world.add('A-1', { column: 'Todo', labels: [] });
    world.pass();
    expect(spawns(world).at(-1)).toMatchObject({ attempt: 3 });
  });

  test('does not go on for ever by reporting errors', () => {
    const world = planning();
    for (let attempt = 1; attempt <= 5; attempt += 1) {
      world.take({
        type: 'attempt.reported',
        ...life,
        attempt,
        report: 1,
        outcome: 'error',
        summary: 'no access',
      });
      world.take({ type: 'attempt.report_accepted', ...life, attempt, report: 1 });
      world.now += 60_000;
      world.pass();
    }
    expect(spawns(world)).toHaveLength(2);
    expect(world.issues.get('A-1')?.labels).toContain('legion-paused');
  });
});

function planning(): SmallWorld {
  const world = new SmallWorld();
  world.add('A-1', { column: 'Todo' });
  world.pass();
  return world;
}

function spawns({ performed }: SmallWorld) {
  return performed.filter((command) => command.kind === 'spawn');
}

function stateOf({ swarm }: SmallWorld) {
  const worker = swarm.workers.get(workerId('A-1', 'plan'));
  return worker && lifecycleOf(worker.facts);
}
