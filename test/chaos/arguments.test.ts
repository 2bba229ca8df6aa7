import { expect, test } from 'vitest';
import { parseChaosOptions } from '../../chaos/arguments.ts';

test('omitted arguments get their default values', () => {
  expect(parseChaosOptions([])).toEqual({ kills: 25, seed: 1, issues: 50, json: false });
  expect(parseChaosOptions(['--kills', '500', '--seed=0', '--issues', '6', '--json'])).toEqual({
    kills: 500,
    seed: 0,
    issues: 6,
    json: true,
  });
});

test.each([
  [['--kills', 'abc'], '--kills must be a whole number of at least 1, got “abc”'],
  [['--kills=-1'], '--kills must be a whole number of at least 1, got “-1”'],
  [['--kills', '-1'], '--kills'],
  [['--kills', '0'], '--kills must be a whole number of at least 1, got “0”'],
  [['--seed', '1.5'], '--seed must be a whole number of at least 0, got “1.5”'],
  [['--issues', ''], '--issues must be a whole number of at least 1, got “”'],
  [['--killz', '3'], "Unknown option '--killz'"],
  [['now'], "Unexpected argument 'now'"],
])('rejects %j and gives the reason', (args, says) => {
  expect(() => parseChaosOptions(args)).toThrow(says);
});
