/**
 * Checks which board changes are recorded in the journal, and the state that results from folding
 * them.
 */
import { expect, test } from 'vitest';
import type { Event, EventBody } from '../../../src/core/model/event.ts';
import type { ObservedIssue } from '../../../src/core/model/observed-issue.ts';
import type { ObservedStatus } from '../../../src/core/model/status.ts';
import { evolve } from '../../../src/core/state/evolve.ts';
import { createLegionState, type LegionState } from '../../../src/core/state/state.ts';
import { recordBoardChanges } from '../../../src/daemon/loop/detect-changes.ts';

function seen(id: string, status: ObservedStatus, title = `Title of ${id}`): ObservedIssue {
  return { issue: { id, title, column: String(status) }, status } as ObservedIssue;
}

function taken(legion: LegionState, bodies: readonly EventBody[], at = 0): LegionState {
  return bodies.reduce(
    (state, body) => evolve(state, { ...body, seq: state.version + 1, at, epoch: 0 } as Event),
    legion,
  );
}

test('records an issue when it is first read, and again only when its title or column changes', () => {
  const state = createLegionState();
  const first = recordBoardChanges(state, [seen('A-1', 'Todo'), seen('A-2', 'Done')], 'all');
  expect(first.map(({ type }) => type)).toEqual(['issue.sighted', 'issue.sighted']);
  taken(state, first, 10);
  expect(recordBoardChanges(state, [seen('A-1', 'Todo'), seen('A-2', 'Done')], 'all')).toEqual([]);
  taken(state, recordBoardChanges(state, [seen('A-1', 'Todo', 'Another title')], ['A-1']), 20);
  expect(state.board.get('A-1')).toMatchObject({ title: 'Another title', since: 10, sight: 2 });
  taken(state, recordBoardChanges(state, [seen('A-1', 'In Progress', 'Another title')], ['A-1']), 30);
  expect(state.board.get('A-1')).toMatchObject({ status: 'In Progress', since: 30, sight: 3 });
});

test('records only once that a requested issue was not found, and records nothing for issues that were not requested', () => {
  const state = taken(
    createLegionState(),
    recordBoardChanges(createLegionState(), [seen('A-1', 'Todo'), seen('A-2', 'Todo')], 'all'),
  );
  expect(recordBoardChanges(state, [seen('A-2', 'Todo')], ['A-2'])).toEqual([]);
  const left = recordBoardChanges(state, [seen('A-2', 'Todo')], 'all');
  expect(left).toEqual([{ type: 'issue.left', issue: 'A-1', sight: 2 }]);
  taken(state, left);
  expect(recordBoardChanges(state, [seen('A-2', 'Todo')], 'all'), 'recorded once').toEqual([]);
  taken(state, recordBoardChanges(state, [seen('A-1', 'Todo'), seen('A-2', 'Todo')], 'all'), 50);
  expect(state.board.get('A-1'), 'it came back').toMatchObject({ since: 50, sight: 3 });
  expect(state.board.get('A-1')?.left).toBeUndefined();
});

test('truncates an overlong title, and does not record the title as changed on every read', () => {
  const state = createLegionState();
  const endless = seen('A-1', 'Todo', 'x'.repeat(5_000));
  taken(state, recordBoardChanges(state, [endless], 'all'));
  expect(state.board.get('A-1')?.title).toHaveLength(300);
  expect(recordBoardChanges(state, [endless], 'all')).toEqual([]);
});
