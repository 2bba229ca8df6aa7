/**
 * Tests that a list contains the whole board, whatever people change before or during its requests.
 */
import { expect, test } from 'vitest';
import { randomFrom, SEED } from '../../../ports/host/random.ts';
import { SIGNAL } from '../../../ports/tracker/issues.ts';
import { type Cursors, type WireBoard, wireBoard } from './wire-board.ts';

const ROUNDS = 25;

test.each(['items', 'places'] as const)(
  'lists the whole board even if it is reordered, filled and emptied between lists (cursors refer to %s)',
  async (cursors: Cursors) => {
    process.stdout.write(`changing board: LEGION_SEED=${SEED}\n`);
    const random = randomFrom(SEED);
    const draw = (limit: number) => Math.floor(random() * limit);
    await using board = await wireBoard(cursors, 250);
    let next = 1_000;
    for (let round = 1; round <= ROUNDS; round += 1) {
      await expectWhole(board, round);
      board.pass(60);
      for (let times = draw(6); times > 0; times -= 1) {
        const { items } = board;
        const at = draw(items.length);
        const item = items[at];
        const what = draw(5);
        next += 1;
        if (item === undefined || what === 0)
          items.splice(at, 0, { number: next, option: 'o1', labels: [], updatedAt: board.now() });
        else if (what === 1) items.splice(at, 1);
        else if (what === 2) items.splice(draw(items.length), 0, ...items.splice(at, 1));
        else if (what === 3) item.option = item.option === 'o1' ? 'o2' : 'o1';
        else Object.assign(item, { labels: [`l${round}`], updatedAt: board.now() });
      }
    }
  },
);

test('does not miss an item that moves to a page already read', async () => {
  await using board = await wireBoard('items', 150);
  let moved = false;
  board.before = (operation) => {
    if (moved || operation !== 'BoardPage' || board.items[0]?.number !== 1) return;
    board.before = () => {
      moved = true;
      board.items.unshift(...board.items.splice(-1));
      board.before = () => {};
    };
  };
  await expectWhole(board, 1);
  expect(moved).toBe(true);
  expect(board.asked()).toEqual(['BoardPage', 'BoardPage', 'BoardPage', 'BoardPage']);
});

test('rejects with a temporary error if the board never stops changing', async () => {
  await using board = await wireBoard('places', 150);
  board.before = () => void board.items.unshift(...board.items.splice(-1));
  await expect(board.tracker.list(SIGNAL)).rejects.toMatchObject({
    code: 'github.unavailable',
    retryable: true,
  });
  board.before = () => {};
  await expectWhole(board, 1);
});

test('searches only once for items that the board counts but never returns', async () => {
  await using board = await wireBoard('items', 150);
  board.hidden = 2;
  await expectWhole(board, 1);
  expect(board.asked()).toHaveLength(4);
  await expectWhole(board, 2);
  expect(board.asked()).toEqual(['BoardDigest']);
});

test('shows a renamed column at once, although nothing else changed', async () => {
  await using board = await wireBoard('items', 3);
  await expectWhole(board, 1);
  board.options.set('o1', 'In Progress');
  board.asked();
  await expectWhole(board, 2);
  expect(board.asked()).toEqual(['BoardDigest']);
});

test('if an issue is deleted between the board digest and the read of that issue, drops only that issue', async () => {
  await using board = await wireBoard('items', 3);
  await expectWhole(board, 1);
  board.pass(60);
  for (const item of board.items) item.updatedAt = board.now();
  const [first] = board.items;
  if (first !== undefined) first.gone = true;
  expect((await board.tracker.list(SIGNAL)).map(({ id }) => id)).toEqual(['acme-app-2', 'acme-app-3']);
});

test('reads all labels of an issue that has more than one page of labels', async () => {
  await using board = await wireBoard('items', 2);
  const [first] = board.items;
  if (first !== undefined) first.labels = Array.from({ length: 130 }, (_, index) => `l${1_000 + index}`);
  const [issue] = await board.tracker.list(SIGNAL);
  expect(issue?.labels).toEqual(first?.labels);
});

test('finds the issue id for a wake-up that refers to a board item or an issue', async () => {
  await using board = await wireBoard('items', 2);
  expect(board.tracker.idOf({ node: 'PVTI_2' })).toBeUndefined();
  await board.tracker.list(SIGNAL);
  for (const hint of [{ node: 'PVTI_2' }, { node: 'I_2' }, { owner: 'Acme', repo: 'app', number: 2 }])
    expect(board.tracker.idOf(hint)).toBe('acme-app-2');
});

test('rejects an aborted list with the signal’s reason, and the next list is complete', async () => {
  await using board = await wireBoard('items', 250);
  const giveUp = new AbortController();
  const reason = new Error('the daemon stops');
  board.before = () => giveUp.abort(reason);
  const waiting = board.tracker.list(SIGNAL);
  await expect(board.tracker.list(giveUp.signal)).rejects.toBe(reason);
  expect(await waiting).toHaveLength(250);
  await expectWhole(board, 1);
});

async function expectWhole(board: WireBoard, round: number): Promise<void> {
  const listed = (await board.tracker.list(SIGNAL)).map(
    ({ id, column, labels }) => `${id} ${column} ${labels}`,
  );
  const there = board.items.map(
    (item) => `acme-app-${item.number} ${board.options.get(item.option)} ${item.labels}`,
  );
  expect(listed.sort(), `round ${round}`).toEqual(there.sort());
}
