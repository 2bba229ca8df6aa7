/** In which column an issue stands, and since when. */
import { expect, test } from 'vitest';
import { columnOf, enteredAt, hasEnded } from '../../../src/trackers/github/column.ts';

const NONE = { closedAt: undefined, reopenedAt: undefined };

test.each([
  ['open, moved', { option: 'Todo', since: 5, ...NONE }, 'Todo', 5, false],
  ['open, without a column', { option: '', since: 5, ...NONE }, '', 5, false],
  ['closed', { option: 'Todo', since: 5, closedAt: 7, reopenedAt: undefined }, 'Closed', 7, true],
  [
    'closed, and moved afterwards',
    { option: 'Todo', since: 9, closedAt: 7, reopenedAt: undefined },
    'Closed',
    7,
    true,
  ],
  ['opened again', { option: 'Todo', since: 5, closedAt: undefined, reopenedAt: 8 }, 'Todo', 8, false],
  [
    'opened again, then moved',
    { option: 'Todo', since: 9, closedAt: undefined, reopenedAt: 8 },
    'Todo',
    9,
    false,
  ],
  ['done, then closed', { option: 'Done', since: 5, closedAt: 7, reopenedAt: undefined }, 'Done', 5, true],
  ['done and open', { option: 'Done', since: 5, ...NONE }, 'Done', 5, true],
  ['cancelled by its column', { option: 'Cancelled', since: 5, ...NONE }, 'Cancelled', 5, true],
] as const)('%s', (_, standing, column, entered, ended) => {
  expect(columnOf(standing, {})).toBe(column);
  expect(enteredAt(standing, {})).toBe(entered);
  expect(hasEnded(standing, {})).toBe(ended);
});

test('Done is what the board calls it', () => {
  const shipped = { option: 'Shipped', since: 5, closedAt: 7, reopenedAt: undefined };
  expect(columnOf(shipped, { Done: ['Shipped'] })).toBe('Shipped');
  expect(columnOf(shipped, {})).toBe('Closed');
});
