/** The board in the journal: what is written down of it, and what that makes of the state. */
import { expect, test } from 'vitest';
import type { Event, EventBody } from '../../src/core/model/event.ts';
import type { SeenStatus } from '../../src/core/model/status.ts';
import { evolve } from '../../src/core/state/evolve.ts';
import type { SeenIssue } from '../../src/core/state/observation.ts';
import { emptySwarm, type Swarm } from '../../src/core/state/state.ts';
import { sightings } from '../../src/daemon/sightings.ts';

function seen(id: string, status: SeenStatus, title = `Title of ${id}`): SeenIssue {
  return { issue: { id, title, column: String(status) }, status } as SeenIssue;
}

function taken(swarm: Swarm, bodies: readonly EventBody[], at = 0): Swarm {
  return bodies.reduce(
    (state, body) => evolve(state, { ...body, seq: state.version + 1, at, epoch: 0 } as Event),
    swarm,
  );
}

test('an issue is written down when it is first seen, and again only when its title or column is another', () => {
  const swarm = emptySwarm();
  const first = sightings(swarm, [seen('A-1', 'Todo'), seen('A-2', 'Done')], 'all');
  expect(first.map(({ type }) => type)).toEqual(['issue.sighted', 'issue.sighted']);
  taken(swarm, first, 10);
  expect(sightings(swarm, [seen('A-1', 'Todo'), seen('A-2', 'Done')], 'all')).toEqual([]);
  taken(swarm, sightings(swarm, [seen('A-1', 'Todo', 'Another title')], ['A-1']), 20);
  expect(swarm.board.get('A-1')).toMatchObject({ title: 'Another title', since: 10, sight: 2 });
  taken(swarm, sightings(swarm, [seen('A-1', 'In Progress', 'Another title')], ['A-1']), 30);
  expect(swarm.board.get('A-1')).toMatchObject({ status: 'In Progress', since: 30, sight: 3 });
});

test('an issue that was looked for and not found has left, once; one that was not asked for has not', () => {
  const swarm = taken(
    emptySwarm(),
    sightings(emptySwarm(), [seen('A-1', 'Todo'), seen('A-2', 'Todo')], 'all'),
  );
  expect(sightings(swarm, [seen('A-2', 'Todo')], ['A-2'])).toEqual([]);
  const left = sightings(swarm, [seen('A-2', 'Todo')], 'all');
  expect(left).toEqual([{ type: 'issue.left', issue: 'A-1', sight: 2 }]);
  taken(swarm, left);
  expect(sightings(swarm, [seen('A-2', 'Todo')], 'all'), 'told once').toEqual([]);
  taken(swarm, sightings(swarm, [seen('A-1', 'Todo'), seen('A-2', 'Todo')], 'all'), 50);
  expect(swarm.board.get('A-1'), 'it came back').toMatchObject({ since: 50, sight: 3 });
  expect(swarm.board.get('A-1')?.left).toBeUndefined();
});

test('an endless title is cut, and does not count as another one each time', () => {
  const swarm = emptySwarm();
  const endless = seen('A-1', 'Todo', 'x'.repeat(5_000));
  taken(swarm, sightings(swarm, [endless], 'all'));
  expect(swarm.board.get('A-1')?.title).toHaveLength(300);
  expect(sightings(swarm, [endless], 'all')).toEqual([]);
});
