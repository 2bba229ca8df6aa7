import { expect, test } from 'vitest';
import type { SeenIssue } from '../../src/core/state/observation.ts';
import { BoardView } from '../../src/daemon/board-view.ts';

test('a written label appears where the next read of the board shows it', () => {
  const view = new BoardView();
  view.replaceAll([{ issue: { id: 'A-1', labels: ['chore', 'worker-active'] } } as unknown as SeenIssue]);
  view.noteWrite('A-1', { add: ['user-input-needed'], remove: [] });
  expect(view.of('A-1')?.issue.labels).toEqual(['chore', 'user-input-needed', 'worker-active']);
});

test('a written move appears at once, with its labels', () => {
  const view = new BoardView();
  const issue = { id: 'A-1', labels: ['worker-done'], column: 'Todo', enteredStatusAt: 1 };
  view.replaceAll([{ issue, status: 'Todo', pullRequest: 'none' } as unknown as SeenIssue]);
  const move = { status: 'In Progress', column: 'Doing', at: 5 } as const;
  view.noteWrite('A-1', { add: [], remove: ['worker-done'] }, move);
  expect(view.of('A-1')).toMatchObject({
    status: 'In Progress',
    issue: { labels: [], column: 'Doing', enteredStatusAt: 5 },
  });
  view.noteWrite('A-2', { add: [], remove: [] }, move);
  expect(view.of('A-2'), 'an issue that nobody has seen').toBeUndefined();
});
