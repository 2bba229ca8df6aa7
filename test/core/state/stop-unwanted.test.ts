import { describe, expect, test } from 'vitest';
import type { Mode } from '../../../src/core/model/mode.ts';
import type { ObservedStatus } from '../../../src/core/model/status.ts';
import { stopUnwantedWorkers } from '../../../src/core/state/stopping.ts';
import { SmallWorld } from './small-world.ts';

const ISSUE = 'A-1';

/** Dispatches a worker, then moves its issue to `column`. */
function moved(mode: Mode, column: string, status: ObservedStatus): SmallWorld {
  const world = new SmallWorld();
  world.add(ISSUE, { column: 'Todo' });
  world.take({ type: 'issue.sighted', issue: ISSUE, sight: 1, title: '', status: 'Todo', column: 'Todo' });
  dispatch(world, mode);
  world.now += 1_000;
  world.add(ISSUE, { column });
  world.take({ type: 'issue.sighted', issue: ISSUE, sight: 2, title: '', status, column });
  return world;
}

function dispatch(world: SmallWorld, mode: Mode): void {
  const identity = { issue: ISSUE, mode, attempt: 1, session: 's', version: 0, host: 'here' };
  world.take({ type: 'attempt.dispatched', ...identity });
}

function stops(world: SmallWorld) {
  return stopUnwantedWorkers(world.state, world.seen());
}

describe('a worker whose issue is moved out of the working columns by a person', () => {
  test.each<[string, ObservedStatus, string]>([
    ['Closed', 'terminal', 'A-1 was closed'],
    ['Done', 'Done', 'A-1 was moved to Done'],
    ['Icebox', 'Icebox', 'A-1 was moved to Icebox'],
    ['Backlog', 'Backlog', 'A-1 was moved to Backlog'],
  ])('is stopped when the issue is in %s, and the journal records why', (column, status, why) => {
    const [stop, ...others] = stops(moved('implement', column, status));
    expect(others).toEqual([]);
    expect(stop?.commands).toEqual([
      { intent: 1, command: { kind: 'stop', issue: ISSUE, mode: 'implement', attempt: 1, evidence: [why] } },
    ]);
    expect(stop?.events).toMatchObject([
      { type: 'attempt.stopped', mode: 'implement', attempt: 1, why },
      { type: 'labels.owed', remove: ['worker-active'] },
      { type: 'intent.opened', intent: 1 },
    ]);
  });

  test('is stopped only once, and no other worker starts in the Icebox', () => {
    const world = moved('implement', 'Icebox', 'Icebox');
    for (const { events } of stops(world)) for (const event of events) world.take(event);
    expect(stops(world)).toEqual([]);
    world.take({ type: 'intent.settled', intent: 1, outcome: 'done', detail: '' });
    world.pass();
    expect(world.performed.filter(({ kind }) => kind === 'spawn')).toEqual([]);
  });
});

describe('a move of an issue by a person does not stop', () => {
  test.each<[string, SmallWorld]>([
    ['an architect whose issue goes back to Backlog', moved('architect', 'Backlog', 'Backlog')],
    ['a worker whose issue moves between columns of work', moved('implement', 'Testing', 'Testing')],
  ])('%s', (_, world) => {
    expect(stops(world)).toEqual([]);
  });

  test('a worker started after the move', () => {
    const world = new SmallWorld();
    world.add(ISSUE, { column: 'Icebox' });
    const icebox = { status: 'Icebox', column: 'Icebox' } as const;
    world.take({ type: 'issue.sighted', issue: ISSUE, sight: 1, title: '', ...icebox });
    world.now += 1_000;
    dispatch(world, 'architect');
    expect(stops(world)).toEqual([]);
  });

  test('a merger whose merge has begun or is complete', () => {
    const world = moved('merge', 'Closed', 'terminal');
    const merge = { issue: ISSUE, pullRequest: 1, headSha: 'c1' };
    const begun = { begin: 1, by: 'a-1-merge', actor: 'worker', forced: false } as const;
    world.take({ type: 'merge.begun', ...merge, ...begun, preMerge: [] });
    expect(stops(world)).toEqual([]);
    world.take({ type: 'merge.landed', ...merge, merge: 1, mergedSha: 'c2', auto: false });
    expect(stops(world)).toEqual([]);
  });

  test('a worker that has reported', () => {
    const world = moved('plan', 'Closed', 'terminal');
    world.report(ISSUE);
    expect(stops(world)).toEqual([]);
  });
});
