/** A list is the whole board, whatever people do to the board between and during its requests. */
import { expect, test } from 'vitest';
import { randomFrom, SEED } from '../../../ports/host/random.ts';
import { SIGNAL } from '../../../ports/tracker/issues.ts';
import { type Cursors, type WireBoard, wireBoard } from './wire-board.ts';

const ROUNDS = 25;

test.each(['items', 'places'] as const)(
  'rearranged, filled and emptied between lists, with cursors by %s',
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

test('an item that is moved to a page already read is not missed', async () => {
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

test('a board that never comes to rest is an error that passes', async () => {
  await using board = await wireBoard('places', 150);
  board.before = () => void board.items.unshift(...board.items.splice(-1));
  await expect(board.tracker.list(SIGNAL)).rejects.toMatchObject({
    code: 'github.unavailable',
    retryable: true,
  });
  board.before = () => {};
  await expectWhole(board, 1);
});

test('items that are counted but never shown are found out once, and cost nothing afterwards', async () => {
  await using board = await wireBoard('items', 150);
  board.hidden = 2;
  await expectWhole(board, 1);
  expect(board.asked()).toHaveLength(4);
  await expectWhole(board, 2);
  expect(board.asked()).toEqual(['BoardDigest']);
});

test('a column that is renamed while nothing else changes has its new name at once', async () => {
  await using board = await wireBoard('items', 3);
  await expectWhole(board, 1);
  board.options.set('o1', 'In Progress');
  board.asked();
  await expectWhole(board, 2);
  expect(board.asked()).toEqual(['BoardDigest']);
});

test('an issue that is deleted between the digest and its reading is gone, and no other with it', async () => {
  await using board = await wireBoard('items', 3);
  await expectWhole(board, 1);
  board.pass(60);
  for (const item of board.items) item.updatedAt = board.now();
  const [first] = board.items;
  if (first !== undefined) first.gone = true;
  expect((await board.tracker.list(SIGNAL)).map(({ id }) => id)).toEqual(['acme-app-2', 'acme-app-3']);
});

test('an issue with more labels than a page has all of them', async () => {
  await using board = await wireBoard('items', 2);
  const [first] = board.items;
  if (first !== undefined) first.labels = Array.from({ length: 130 }, (_, index) => `l${1_000 + index}`);
  const [issue] = await board.tracker.list(SIGNAL);
  expect(issue?.labels).toEqual(first?.labels);
});

test('a wake-up that names an item of the board, or an issue, finds the id', async () => {
  await using board = await wireBoard('items', 2);
  expect(board.tracker.idOf({ node: 'PVTI_2' })).toBeUndefined();
  await board.tracker.list(SIGNAL);
  for (const hint of [{ node: 'PVTI_2' }, { node: 'I_2' }, { owner: 'Acme', repo: 'app', number: 2 }])
    expect(board.tracker.idOf(hint)).toBe('acme-app-2');
});

test('a list that is given up rejects with its reason, and the next one is whole', async () => {
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
