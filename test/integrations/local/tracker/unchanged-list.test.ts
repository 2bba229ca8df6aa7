/** The list of a board that nobody has changed is not made again, and every change is in the next one. */
import { DatabaseSync } from 'node:sqlite';
import { expect, test } from 'vitest';
import { put, SIGNAL } from '../../../ports/tracker/issues.ts';
import { useBoard } from './board.ts';

const { open, path } = useBoard();

test('hands out the same list while nobody changes the board', async () => {
  const board = await open();
  await put(board, 'a');
  const list = await board.list(SIGNAL);
  expect(await board.list(SIGNAL)).toBe(list);
});

test('lists what was written here and by others since', async () => {
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
