/**
 * Tests `isSettled`: whether a read is late enough after a change. GitHub's times are whole
 * seconds, so another change within the same second gets the same timestamp.
 */
import { expect, test } from 'vitest';
import { isSettled, parseTime } from '../../../../src/integrations/github/client/time.ts';

const CHANGED = '2030-01-01T00:00:00Z';

test.each([
  [0, false],
  [9_999, false],
  [10_000, true],
  [-60_000, false],
])('for a read %d ms after a change, isSettled returns %s', (wait, settled) => {
  expect(isSettled(CHANGED, parseTime(CHANGED) + wait)).toBe(settled);
});
