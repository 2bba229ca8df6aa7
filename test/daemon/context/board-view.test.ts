import { expect, test } from 'vitest';
import type { ObservedIssue } from '../../../src/core/model/observed-issue.ts';
import { BoardView, resolveIssuePhase } from '../../../src/daemon/context/board-view.ts';

test('shows a newly written label in the position in which the next board read will show it', () => {
  const boardView = new BoardView();
  boardView.replaceAll([
    { issue: { id: 'A-1', labels: ['chore', 'worker-active'] } } as unknown as ObservedIssue,
  ]);
  boardView.recordWrite('A-1', { add: ['user-input-needed'], remove: [] });
  expect(boardView.find('A-1')?.issue.labels).toEqual(['chore', 'user-input-needed', 'worker-active']);
});

test('shows a move and its label changes as soon as they are written to the board', () => {
  const boardView = new BoardView();
  const issue = { id: 'A-1', labels: ['worker-done'], column: 'Todo', enteredStatusAt: 1 };
  boardView.replaceAll([{ issue, status: 'Todo', pullRequest: 'none' } as unknown as ObservedIssue]);
  const move = { status: 'In Progress', column: 'Doing', at: 5 } as const;
  boardView.recordWrite('A-1', { add: [], remove: ['worker-done'] }, move);
  expect(boardView.find('A-1')).toMatchObject({
    status: 'In Progress',
    issue: { labels: [], column: 'Doing', enteredStatusAt: 5 },
  });
  boardView.recordWrite('A-2', { add: [], remove: [] }, move);
  expect(boardView.find('A-2'), 'an unknown issue').toBeUndefined();
});

test('for an issue that was never read from the board, resolveIssuePhase returns the given mode as the phase', () => {
  expect(resolveIssuePhase({ boardView: new BoardView() }, 'A-1', 'implement')).toBe('implement');
});
