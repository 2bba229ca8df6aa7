/** Tests that a number is never used twice, whatever happens to its issue. */
import { DatabaseSync } from 'node:sqlite';
import { expect, test } from 'vitest';
import { look, put, SIGNAL } from '../../../ports/tracker/issues.ts';
import { refusal } from '../../../ports/tracker/refusal.ts';
import { useBoard } from './board.ts';

const { open, path } = useBoard();

test('numbers issues from 1 without gaps, despite rejected and repeated calls', async () => {
  const board = await open();
  expect(await put(board, 'a')).toBe('LEG-1');
  await refusal(put(board, 'b', { blockedBy: ['LEG-1', 'LEG-2'] }));
  await refusal(put(board, 'b', { title: '' }));
  await put(board, 'a');
  expect(await put(board, 'b')).toBe('LEG-2');
});

test('does not reuse a number after one issue or all issues were deleted by hand', async () => {
  const board = await open();
  for (const key of ['a', 'b', 'c']) await put(board, key);
  remove("DELETE FROM issues WHERE id = 'LEG-3'");
  expect(await put(board, 'd')).toBe('LEG-4');
  await board.dispose();
  remove('DELETE FROM issues');
  const again = await open();
  expect(await again.list(SIGNAL)).toEqual([]);
  expect(await put(again, 'a')).toBe('LEG-5');
});

test('keeps old ids and continues the numbering if the prefix changes', async () => {
  const board = await open();
  const first = await put(board, 'a');
  await board.dispose();
  const renamed = await open(Date.now, 'leg');
  const second = await put(renamed, 'b', { blockedBy: [first] });
  expect([first, second]).toEqual(['LEG-1', 'leg-2']);
  expect((await look(renamed, second)).openBlockers).toEqual([first]);
  expect(await put(renamed, 'a')).toBe('LEG-1');
});

function remove(sql: string): void {
  const db = new DatabaseSync(path());
  db.exec(sql);
  db.close();
}
