/** Checks that an observation stays consistent if the state changes while the forge is read. */
import { expect, test } from 'vitest';
import { observeBoard } from '../../../src/daemon/context/observer.ts';
import type { Forge } from '../../../src/ports/forge.ts';
import type { Tracker } from '../../../src/ports/tracker.ts';
import { SmallWorld } from '../../core/state/small-world.ts';

const { signal } = new AbortController();
const REVIEW = { reviewer: 'r', verdict: 'approved', sha: 'c1', at: 1 } as const;

/** Creates an approved issue whose merger was just dispatched. Its labels are not written yet. */
function createDispatchedMerge(): SmallWorld {
  const world = new SmallWorld();
  const labels = ['feature', 'test-passed', 'needs-approval', 'human-approved', 'worker-done'];
  world.add('A-1', { column: 'Retro', labels });
  world.open('A-1', { reviews: [REVIEW] });
  world.prove('A-1', 'test');
  world.prove('A-1', 'retro');
  world.take({
    type: 'approval.given',
    issue: 'A-1',
    approval: 1,
    of: 'merge',
    by: 'ada',
    through: 'cli',
    sha: 'c1',
  });
  const { issues } = world.look();
  for (const event of issues.flatMap(({ events }) => events)) world.take(event);
  return world;
}

test('a pull request that is not queried, because a worker runs, is never reported as missing', async () => {
  const world = createDispatchedMerge();
  expect([...world.state.intents.values()].map(({ command }) => command.kind)).toEqual([
    'write_issue',
    'spawn',
  ]);
  world.add('A-2', { column: 'Testing' });
  const queried: string[] = [];
  const forge: Pick<Forge, 'pullRequests' | 'changesSince'> = {
    pullRequests: async (branches) => {
      queried.push(...branches);
      // The label `worker-done` is now removed on the tracker, but the board was read before that.
      for (const intent of [...world.state.intents.keys()])
        world.take({ type: 'intent.settled', intent, outcome: 'done', detail: 'written' });
      return new Map();
    },
    changesSince: async () => new Map(),
  };
  const tracker: Pick<Tracker, 'list'> = { list: async () => [...world.issues.values()] };
  const lastSeen = world.pullRequests.get('A-1');
  const board = await observeBoard(
    {
      tracker: tracker as Tracker,
      forgeOf: () => forge as Forge,
      columns: {},
      findLastSeenPullRequest: (issue) => world.pullRequests.get(issue),
    },
    world.state,
    signal,
  );
  expect(queried).toEqual(['A-2']);
  expect(board.map(({ pullRequest }) => pullRequest)).toEqual([lastSeen, 'none']);
});
