/** How urgent an issue is, by the board's own words. */
import { expect, test } from 'vitest';
import { priorityLabel, priorityOf, priorityOption } from '../../../src/trackers/github/priority.ts';

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
] as const)('the option %s of %j is %i', (option, options, expected) => {
  expect(priorityOf(option, options, [])).toBe(expected);
});

test.each([
  [['priority: high'], 2],
  [['Priority/Urgent'], 1],
  [['P1'], 2],
  [['p0', 'priority: low'], 1],
  [['high'], 0],
  [['priority'], 0],
  [['P12'], 0],
] as const)('the labels %j say %i', (labels, expected) => {
  expect(priorityOf(undefined, [], labels)).toBe(expected);
});

test('the board’s word comes before a label’s; one it does not know does not', () => {
  expect(priorityOf('Low', [], ['P0'])).toBe(4);
  expect(priorityOf('Whenever', [], ['P0'])).toBe(1);
});

test('what is written reads as what it was', () => {
  for (const options of [
    ['P0', 'P1', 'P2', 'P3'],
    ['Urgent', 'High', 'Medium', 'Low'],
    ['P1', 'P2', 'P3', 'P4'],
  ]) {
    for (const priority of [1, 2, 3, 4] as const) {
      const option = priorityOption(priority, options);
      expect(priorityOf(option, options, [])).toBe(priority);
      expect(priorityOf(undefined, [], [String(priorityLabel(priority))])).toBe(priority);
    }
  }
  expect(priorityOption(2, ['Urgent'])).toBeUndefined();
  expect(priorityLabel(0)).toBeUndefined();
});
