import { describe, expect, test } from 'vitest';
import type { SeenStatus } from '../../../src/core/model/status.ts';
import type { Mode } from '../../../src/domain/mode.ts';
import { stopUnwantedWorkers } from '../../../src/swarm/stop-unwanted.ts';
import { SmallWorld } from './small-world.ts';

const ISSUE = 'A-1';

/** A worker that was dispatched while the issue was in another column; then the issue was seen in `column`. */
function moved(mode: Mode, column: string, status: SeenStatus): SmallWorld {
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
  const life = { issue: ISSUE, mode, attempt: 1, session: 's', version: 0, host: 'here' };
  world.take({ type: 'attempt.dispatched', ...life });
}

function stops(world: SmallWorld) {
  return stopUnwantedWorkers(world.swarm, world.seen());
}

describe('a worker whose issue a person takes away', () => {
  test.each<[string, SeenStatus, string]>([
    ['Closed', 'terminal', 'A-1 was closed'],
    ['Done', 'Done', 'A-1 was moved to Done'],
    ['Icebox', 'Icebox', 'A-1 was moved to Icebox'],
    ['Backlog', 'Backlog', 'A-1 was moved to Backlog'],
  ])('is stopped where that is now in %s, and the journal says why', (column, status, why) => {
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

  test('is stopped once, and no other worker starts in the Icebox', () => {
    const world = moved('implement', 'Icebox', 'Icebox');
    for (const { events } of stops(world)) for (const event of events) world.take(event);
    expect(stops(world)).toEqual([]);
    world.take({ type: 'intent.settled', intent: 1, outcome: 'done', detail: '' });
    world.pass();
    expect(world.performed.filter(({ kind }) => kind === 'spawn')).toEqual([]);
  });
});

describe('a worker that is wanted continues', () => {
  test.each<[string, SmallWorld]>([
    ['an architect whose issue goes back to Backlog', moved('architect', 'Backlog', 'Backlog')],
    ['a worker whose issue moves between columns of work', moved('implement', 'Testing', 'Testing')],
  ])('%s', (_, world) => {
    expect(stops(world)).toEqual([]);
  });

  test('a worker that somebody started after the move', () => {
    const world = new SmallWorld();
    world.add(ISSUE, { column: 'Icebox' });
    const icebox = { status: 'Icebox', column: 'Icebox' } as const;
    world.take({ type: 'issue.sighted', issue: ISSUE, sight: 1, title: '', ...icebox });
    world.now += 1_000;
    dispatch(world, 'architect');
    expect(stops(world)).toEqual([]);
  });

  test('a merger whose merge has begun or has closed the issue', () => {
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
