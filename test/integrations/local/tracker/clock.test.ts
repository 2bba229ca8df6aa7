/** Tests that the order of an issue's events is well defined, whatever the clock does. */
import { expect, test } from 'vitest';
import type { LocalBoard } from '../../../../src/ports/board-editor.ts';
import { comments, labels, look, put } from '../../../ports/tracker/issues.ts';
import { useBoard } from './board.ts';

const { open } = useBoard();

test('uses the times of the given clock', async () => {
  let now = 1_000;
  const board = await open(() => now);
  const id = await put(board, 'one');
  now = 2_000;
  await board.say(id, 'ada', 'Hello.');
  now = 3_000;
  await board.move(id, 'Todo');
  expect(await look(board, id)).toMatchObject({ createdAt: 1_000, enteredStatusAt: 3_000 });
  expect(await comments(board, id)).toMatchObject([{ at: 2_000 }]);
});

test.each([
  ['stands still', () => 1_000],
  ['runs backwards', backwards()],
])('reports the comments since an issue entered its column, even if the clock %s', async (_, now) => {
  const board = await open(now);
  const id = await put(board, 'one');
  for (let round = 1; round <= 20; round += 1) {
    await board.say(id, 'ada', `before ${round}`);
    await board.write(id, { moveTo: 'Icebox', ...labels([]) });
    expect(await saidSinceEntering(board, id)).toEqual([]);
    await board.say(id, 'ada', `after ${round}`);
    expect(await saidSinceEntering(board, id)).toEqual([`after ${round}`]);
    await board.move(id, 'Todo');
  }
  const times = (await comments(board, id)).map(({ at }) => at);
  expect(times).toEqual(times.toSorted((a, b) => a - b));
  expect(new Set(times).size).toBe(40);
});

async function saidSinceEntering(board: LocalBoard, id: string): Promise<string[]> {
  const { enteredStatusAt = Number.NaN } = await look(board, id);
  return (await comments(board, id, enteredStatusAt)).map(({ text }) => text);
}

function backwards(): () => number {
  let now = 1_000_000;
  return () => {
    now -= 1_000;
    return now;
  };
}
