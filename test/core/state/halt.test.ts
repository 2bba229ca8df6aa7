import { describe, expect, test } from 'vitest';
import type { EventBody } from '../../../src/core/model/event.ts';
import { buildGlobalHoldEvents, planHalt } from '../../../src/core/state/halt.ts';
import { SmallWorld } from './small-world.ts';

const HALT = { by: 'ada', why: 'enough' };
const noMerge = () => false;
const plan = { issue: 'A-1', mode: 'plan', attempt: 1 } as const;

describe('halt', () => {
  test('holds the legion, ends every live attempt and orders all stops in one step', () => {
    const world = withWorker();
    const { events, stopped } = planHalt(world.state, HALT, noMerge);
    expect(events).toMatchObject([
      { type: 'breaker.opened', breaker: 1, kind: 'halt', by: 'ada', why: 'halted by ada: enough' },
      { type: 'attempt.stopped', ...plan, why: 'the legion was halted by ada' },
      { type: 'intent.opened', command: { kind: 'stop', ...plan } },
    ]);
    expect(stopped).toEqual(['a-1-plan']);
  });

  test('changes nothing when it is repeated', () => {
    const world = withWorker();
    halt(world);
    expect(planHalt(world.state, { by: 'bob', why: 'too' }, noMerge)).toMatchObject({
      events: [],
      stopped: [],
    });
    expect(world.state.breaker.open).toMatchObject({ kind: 'halt', by: 'ada' });
  });

  test('counts no crashes, starts no workers, and lets workers continue the same session after a resume', () => {
    const world = withWorker();
    const session = world.state.workers.get('a-1-plan')?.session;
    halt(world);
    world.take({ type: 'intent.settled', intent: world.state.lastIntent, outcome: 'done', detail: 'gone' });
    world.take({ type: 'attempt.exited', ...plan, code: null, signal: 'SIGTERM' });
    world.now += 60_000;
    expect(world.pass().issues[0]?.decisions).toMatchObject([
      { action: 'skip', reason: 'halted', evidence: expect.arrayContaining(['by=ada']) },
    ]);
    expect(world.state.workers.get('a-1-plan')?.failedLives).toEqual([]);
    world.take({ type: 'breaker.closed', breaker: world.state.breaker.serial, by: 'ada' });
    world.now += 60_000;
    world.pass();
    expect(world.state.workers.get('a-1-plan')).toMatchObject({ attempt: 2, session, failedLives: [] });
  });

  test('lets a merge in progress finish before stopping its worker', () => {
    const world = withWorker();
    const merge = { issue: 'B-2', mode: 'merge', attempt: 1 } as const;
    world.take({ type: 'attempt.dispatched', ...merge, session: 's', version: 0, host: 'here' });
    const during = planHalt(world.state, HALT, (issue) => issue === 'B-2');
    expect(during).toMatchObject({ stopped: ['a-1-plan'], merging: ['b-2-merge'] });
    take(world, during.events);
    expect(planHalt(world.state, HALT, noMerge)).toMatchObject({ stopped: ['b-2-merge'], merging: [] });
  });

  test('stops the process of a worker that waits for an answer, but keeps the question open', () => {
    const world = withWorker();
    world.take({ type: 'attempt.waiting', ...plan, wait: 1, for: 'user' });
    const { events, stopped } = planHalt(world.state, HALT, noMerge);
    expect(events.map(({ type }) => type)).toEqual(['breaker.opened', 'intent.opened']);
    expect(stopped).toEqual([]);
  });

  test('does not stop a worker whose attempt and process have ended', () => {
    const world = withWorker();
    world.take({ type: 'attempt.stopped', ...plan, why: 'over' });
    world.take({ type: 'attempt.exited', ...plan, code: 0, signal: null });
    expect(planHalt(world.state, HALT, noMerge).commands).toEqual([]);
  });
});

describe('a hold on the legion', () => {
  test('is replaced by a stronger hold but not by a weaker one', () => {
    const world = new SmallWorld();
    world.take({ type: 'breaker.opened', breaker: 1, why: '3 deaths in 30 s' });
    expect(world.state.breaker.open?.kind).toBe('deaths');
    take(world, buildGlobalHoldEvents(world.state, 'pause', 'ada', 'paused by ada: lunch'));
    expect(world.state.breaker.open).toMatchObject({ kind: 'pause', by: 'ada' });
    take(world, buildGlobalHoldEvents(world.state, 'halt', 'bob', 'halted by bob: fire'));
    expect(world.state.breaker.open).toMatchObject({ kind: 'halt', by: 'bob' });
    expect(buildGlobalHoldEvents(world.state, 'pause', 'ada', 'paused by ada')).toEqual([]);
    world.take({ type: 'breaker.opened', breaker: world.state.breaker.serial + 1, why: '3 deaths again' });
    expect(world.state.breaker.open).toMatchObject({ kind: 'halt', by: 'bob' });
  });

  test('from a journal without hold kinds is treated as a pause by a person', () => {
    const world = new SmallWorld();
    world.take({ type: 'breaker.opened', breaker: 1, why: 'paused by ada: lunch' });
    expect(world.state.breaker.open?.kind).toBe('pause');
  });
});

function withWorker(): SmallWorld {
  const world = new SmallWorld();
  world.add('A-1', { column: 'Todo' });
  world.pass();
  world.take({ type: 'attempt.spawned', ...plan, pid: 42, startTime: '7' });
  world.take({ type: 'attempt.active', ...plan });
  return world;
}

function halt(world: SmallWorld): void {
  take(world, planHalt(world.state, HALT, noMerge).events);
}

function take(world: SmallWorld, events: readonly EventBody[]): void {
  for (const event of events) world.take(event);
}
