import { expect, test } from 'vitest';
import { BoardView } from '../../src/daemon/board-view.ts';
import type { SeenIssue } from '../../src/swarm/observation.ts';

test('a written label appears where the next read of the board shows it', () => {
  const view = new BoardView();
  view.replaceAll([{ issue: { id: 'A-1', labels: ['chore', 'worker-active'] } } as unknown as SeenIssue]);
  view.noteLabels('A-1', { add: ['user-input-needed'], remove: [] });
  expect(view.of('A-1')?.issue.labels).toEqual(['chore', 'user-input-needed', 'worker-active']);
});
