/**
 * Tests that the list of an unchanged board is reused, and that every change appears in the next
 * list.
 */
import { DatabaseSync } from 'node:sqlite';
import { expect, test } from 'vitest';
import { put, SIGNAL } from '../../../ports/tracker/issues.ts';
import { useBoard } from './board.ts';

const { open, path } = useBoard();

test('returns the same list while the board is unchanged', async () => {
  const board = await open();
  await put(board, 'a');
  const list = await board.list(SIGNAL);
  expect(await board.list(SIGNAL)).toBe(list);
});

test('lists changes made through this handle and by other programs', async () => {
  const board = await open();
  const first = await put(board, 'a');
  await board.list(SIGNAL);
  await board.write(first, { labels: { add: ['worker-active'], remove: [] } });
  expect((await board.list(SIGNAL))[0]?.labels).toContain('worker-active');
  const other = new DatabaseSync(path());
  other.exec("UPDATE issues SET title = 'Renamed'");
  other.close();
  expect((await board.list(SIGNAL))[0]?.title).toBe('Renamed');
});
