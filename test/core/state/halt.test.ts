import { describe, expect, test } from 'vitest';
import type { EventBody } from '../../../src/core/model/event.ts';
import { haltSwarm, holdEvents } from '../../../src/core/state/halt.ts';
import { SmallWorld } from './small-world.ts';

const HALT = { by: 'ada', why: 'enough' };
const noMerge = () => false;
const plan = { issue: 'A-1', mode: 'plan', attempt: 1 } as const;

describe('halting', () => {
  test('holds the legion, ends every live attempt and orders a stop for each, in one step', () => {
    const world = withWorker();
    const { events, stopped } = haltSwarm(world.swarm, HALT, noMerge);
    expect(events).toMatchObject([
      { type: 'breaker.opened', breaker: 1, kind: 'halt', by: 'ada', why: 'halted by ada: enough' },
      { type: 'attempt.stopped', ...plan, why: 'the legion was halted by ada' },
      { type: 'intent.opened', command: { kind: 'stop', ...plan } },
    ]);
    expect(stopped).toEqual(['a-1-plan']);
  });

  test('a second time changes nothing', () => {
    const world = withWorker();
    halt(world);
    expect(haltSwarm(world.swarm, { by: 'bob', why: 'too' }, noMerge)).toMatchObject({
      events: [],
      stopped: [],
    });
    expect(world.swarm.breaker.open).toMatchObject({ kind: 'halt', by: 'ada' });
  });

  test('counts no crash, starts nothing, and continues the same session after the resume', () => {
    const world = withWorker();
    const session = world.swarm.workers.get('a-1-plan')?.session;
    halt(world);
    world.take({ type: 'intent.settled', intent: world.swarm.lastIntent, outcome: 'done', detail: 'gone' });
    world.take({ type: 'attempt.exited', ...plan, code: null, signal: 'SIGTERM' });
    world.now += 60_000;
    expect(world.pass().issues[0]?.decisions).toMatchObject([
      { action: 'skip', reason: 'halted', evidence: expect.arrayContaining(['by=ada']) },
    ]);
    expect(world.swarm.workers.get('a-1-plan')?.failedLives).toEqual([]);
    world.take({ type: 'breaker.closed', breaker: world.swarm.breaker.serial, by: 'ada' });
    world.now += 60_000;
    world.pass();
    expect(world.swarm.workers.get('a-1-plan')).toMatchObject({ attempt: 2, session, failedLives: [] });
  });

  test('leaves a merge worker alone while its merge is under way, and stops it afterwards', () => {
    const world = withWorker();
    const merge = { issue: 'B-2', mode: 'merge', attempt: 1 } as const;
    world.take({ type: 'attempt.dispatched', ...merge, session: 's', version: 0, host: 'here' });
    const during = haltSwarm(world.swarm, HALT, (issue) => issue === 'B-2');
    expect(during).toMatchObject({ stopped: ['a-1-plan'], merging: ['b-2-merge'] });
    take(world, during.events);
    expect(haltSwarm(world.swarm, HALT, noMerge)).toMatchObject({ stopped: ['b-2-merge'], merging: [] });
  });

  test('a worker that waits for an answer keeps its question; only its process is stopped', () => {
    const world = withWorker();
    world.take({ type: 'attempt.waiting', ...plan, wait: 1, for: 'user' });
    const { events, stopped } = haltSwarm(world.swarm, HALT, noMerge);
    expect(events.map(({ type }) => type)).toEqual(['breaker.opened', 'intent.opened']);
    expect(stopped).toEqual([]);
  });

  test('a worker that has ended with its process is not stopped', () => {
    const world = withWorker();
    world.take({ type: 'attempt.stopped', ...plan, why: 'over' });
    world.take({ type: 'attempt.exited', ...plan, code: 0, signal: null });
    expect(haltSwarm(world.swarm, HALT, noMerge).commands).toEqual([]);
  });
});

describe('a hold of the legion', () => {
  test('is replaced by a stronger one and never by a weaker one', () => {
    const world = new SmallWorld();
    world.take({ type: 'breaker.opened', breaker: 1, why: '3 deaths in 30 s' });
    expect(world.swarm.breaker.open?.kind).toBe('deaths');
    take(world, holdEvents(world.swarm, 'pause', 'ada', 'paused by ada: lunch'));
    expect(world.swarm.breaker.open).toMatchObject({ kind: 'pause', by: 'ada' });
    take(world, holdEvents(world.swarm, 'halt', 'bob', 'halted by bob: fire'));
    expect(world.swarm.breaker.open).toMatchObject({ kind: 'halt', by: 'bob' });
    expect(holdEvents(world.swarm, 'pause', 'ada', 'paused by ada')).toEqual([]);
    world.take({ type: 'breaker.opened', breaker: world.swarm.breaker.serial + 1, why: '3 deaths again' });
    expect(world.swarm.breaker.open).toMatchObject({ kind: 'halt', by: 'bob' });
  });

  test('of a journal from before holds had a kind is still a pause by a person', () => {
    const world = new SmallWorld();
    world.take({ type: 'breaker.opened', breaker: 1, why: 'paused by ada: lunch' });
    expect(world.swarm.breaker.open?.kind).toBe('pause');
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
  take(world, haltSwarm(world.swarm, HALT, noMerge).events);
}

function take(world: SmallWorld, events: readonly EventBody[]): void {
  for (const event of events) world.take(event);
}
