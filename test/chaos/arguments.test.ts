import { expect, test } from 'vitest';
import { readOrder } from '../../chaos/arguments.ts';

test('what is not said has a value that is', () => {
  expect(readOrder([])).toEqual({ kills: 25, seed: 1, issues: 50, json: false });
  expect(readOrder(['--kills', '500', '--seed=0', '--issues', '6', '--json'])).toEqual({
    ...{ kills: 500, seed: 0, issues: 6, json: true },
  });
});

test.each([
  [['--kills', 'abc'], '--kills takes a whole number from 1, got “abc”'],
  [['--kills=-1'], '--kills takes a whole number from 1, got “-1”'],
  [['--kills', '-1'], '--kills'],
  [['--kills', '0'], '--kills takes a whole number from 1, got “0”'],
  [['--seed', '1.5'], '--seed takes a whole number from 0, got “1.5”'],
  [['--issues', ''], '--issues takes a whole number from 1, got “”'],
  [['--killz', '3'], "Unknown option '--killz'"],
  [['now'], "Unexpected argument 'now'"],
])('%j is refused with what is wrong', (args, says) => {
  expect(() => readOrder(args)).toThrow(says);
});
