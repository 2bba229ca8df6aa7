/** GitHub's times are whole seconds, so what has just changed may change again unseen. */
import { expect, test } from 'vitest';
import { isSettled, timeOf } from '../../src/github/time.ts';

const CHANGED = '2030-01-01T00:00:00Z';

test.each([
  [0, false],
  [9_999, false],
  [10_000, true],
  [-60_000, false],
])('read %d ms after a change, every later one shows: %s', (wait, settled) => {
  expect(isSettled(CHANGED, timeOf(CHANGED) + wait)).toBe(settled);
});
