/** Tests an issue's column, the time at which the issue entered it, and its priority. */
import { expect, test } from 'vitest';
import {
  computeEnteredAt,
  findPriorityOption,
  hasEnded,
  resolveColumn,
  resolvePriority,
  toPriorityLabel,
} from '../../../../src/integrations/github/tracker/board-fields.ts';

const NONE = { closedAt: undefined, reopenedAt: undefined };

test.each([
  ['open, moved', { option: 'Todo', since: 5, ...NONE }, 'Todo', 5, false],
  ['open without a column', { option: '', since: 5, ...NONE }, '', 5, false],
  ['closed', { option: 'Todo', since: 5, closedAt: 7, reopenedAt: undefined }, 'Closed', 7, true],
  ['closed, then moved', { option: 'Todo', since: 9, closedAt: 7, reopenedAt: undefined }, 'Closed', 7, true],
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
] as const)('reads the column of an issue that is %s', (_, standing, column, entered, ended) => {
  expect(resolveColumn(standing, {})).toBe(column);
  expect(computeEnteredAt(standing, {})).toBe(entered);
  expect(hasEnded(standing, {})).toBe(ended);
});

test('recognizes the board’s own name for Done', () => {
  const shipped = { option: 'Shipped', since: 5, closedAt: 7, reopenedAt: undefined };
  expect(resolveColumn(shipped, { Done: ['Shipped'] })).toBe('Shipped');
  expect(resolveColumn(shipped, {})).toBe('Closed');
});

test.each([
  ['P0', ['P0', 'P1', 'P2'], 1],
  ['P1', ['P0', 'P1', 'P2'], 2],
  ['P3', ['P0', 'P1', 'P2', 'P3'], 4],
  ['P4', ['P0', 'P1', 'P2', 'P3', 'P4'], 4],
  ['P1', ['P1', 'P2', 'P3', 'P4'], 1],
  ['P4', ['P1', 'P2', 'P3', 'P4'], 4],
  ['Urgent', [], 1],
  ['🌋 Urgent', [], 1],
  ['🏔 High', [], 2],
  ['medium', [], 3],
  ['LOW', [], 4],
  ['No priority', [], 0],
  ['Whenever', [], 0],
] as const)('reads option %s of %j as priority %i', (option, options, expected) => {
  expect(resolvePriority(option, options, [])).toBe(expected);
});

test.each([
  [['priority: high'], 2],
  [['Priority/Urgent'], 1],
  [['P1'], 2],
  [['p0', 'priority: low'], 1],
  [['high'], 0],
  [['priority'], 0],
  [['P12'], 0],
] as const)('reads labels %j as priority %i', (labels, expected) => {
  expect(resolvePriority(undefined, [], labels)).toBe(expected);
});

test('prefers the board’s field to a label unless the option is unknown', () => {
  expect(resolvePriority('Low', [], ['P0'])).toBe(4);
  expect(resolvePriority('Whenever', [], ['P0'])).toBe(1);
});

test('reads back the priority that it wrote', () => {
  for (const options of [
    ['P0', 'P1', 'P2', 'P3'],
    ['Urgent', 'High', 'Medium', 'Low'],
    ['P1', 'P2', 'P3', 'P4'],
  ]) {
    for (const priority of [1, 2, 3, 4] as const) {
      const option = findPriorityOption(priority, options);
      expect(resolvePriority(option, options, [])).toBe(priority);
      expect(resolvePriority(undefined, [], [String(toPriorityLabel(priority))])).toBe(priority);
    }
  }
  expect(findPriorityOption(2, ['Urgent'])).toBeUndefined();
  expect(toPriorityLabel(0)).toBeUndefined();
});
