/** Tests the order of cards in columns, and the keyboard steps between them. */
import { expect, test } from 'vitest';
import { buildColumns } from '../../web/src/pages/board/columns.ts';
import { findNextCard } from '../../web/src/pages/board/next-card.ts';
import { card, worker } from './support/facts.ts';

const STATUSES = [
  { status: 'Todo', column: 'Next up' },
  { status: 'Done', column: 'Shipped' },
];

test("each column is shown under the board's name for it, even if it has no cards", () => {
  const columns = buildColumns([card('A-1', 'x', { status: 'Done' })], STATUSES);
  expect(columns.map(({ name, cards }) => [name, cards.length])).toEqual([
    ['Next up', 0],
    ['Shipped', 1],
  ]);
});

test('a column that Legion does not know is shown but accepts no moves; closed issues are in a separate column', () => {
  const columns = buildColumns(
    [
      card('A-1', 'x', { status: 'unknown', column: 'Ideas' }),
      card('A-2', 'y', { status: 'terminal', column: 'Cancelled' }),
    ],
    STATUSES,
  );
  expect(columns.slice(2).map(({ name, status }) => [name, status])).toEqual([
    ['Closed', undefined],
    ['Ideas', undefined],
  ]);
});

test('cards that need a person come first, then cards with a running worker, then the rest by priority and age', () => {
  const since = 1_000;
  const cards = [
    card('A-1', 'old', { since: since - 1 }),
    card('A-2', 'low', { since, priority: 4 }),
    card('A-3', 'urgent', { since, priority: 1 }),
    card('A-4', 'worked on', { since, worker: worker('plan') }),
    card('A-5', 'needs a person', { since, needsYou: true }),
    card('A-10', 'new', { since }),
    card('A-9', 'new', { since }),
  ];
  const [todo] = buildColumns(cards, STATUSES);
  expect(todo?.cards.map(({ id }) => id)).toEqual(['A-5', 'A-4', 'A-3', 'A-2', 'A-1', 'A-9', 'A-10']);
});

test('finished issues are sorted latest first', () => {
  const cards = [1, 3, 2].map((since) => card(`A-${since}`, 'x', { status: 'Done', since }));
  expect(buildColumns(cards, STATUSES)[1]?.cards.map(({ id }) => id)).toEqual(['A-3', 'A-2', 'A-1']);
});

test('keyboard steps move down, up and sideways, skip empty columns, and stop at the edges', () => {
  const cards = [card('A-1', 'x'), card('A-2', 'y'), card('A-3', 'z', { status: 'Done' })];
  const [todo, done] = buildColumns(cards, STATUSES);
  if (todo === undefined || done === undefined) throw new Error('expected two columns');
  const columns = [todo, { ...todo, key: 'empty', cards: [] }, done];
  const after = (id: string | undefined, step: Parameters<typeof findNextCard>[2]) =>
    findNextCard(columns, id, step)?.card.id;
  const [first, second] = todo.cards.map(({ id }) => id);
  expect(after(undefined, 'up')).toBe(first);
  expect(after(first, 'down')).toBe(second);
  expect(after(second, 'down')).toBeUndefined();
  expect(after(first, 'up')).toBeUndefined();
  expect(after(second, 'right')).toBe('A-3');
  expect(after('A-3', 'right')).toBeUndefined();
  expect(after('A-3', 'left')).toBe(first);
  expect(after('gone', 'down')).toBe(first);
});
