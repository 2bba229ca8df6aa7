/** When an idle server is replaced. */
import { expect, test } from 'vitest';
import { isWornOut } from '../../../src/agents/opencode/recycle.ts';

test('a server is worn out by its memory or its age', () => {
  const [megabyte, hour] = [1_024 * 1_024, 3_600_000];
  expect(isWornOut(800 * megabyte, hour)).toBe(false);
  expect(isWornOut(1_600 * megabyte, 0)).toBe(true);
  expect(isWornOut(undefined, hour)).toBe(false);
  expect(isWornOut(undefined, 3 * hour)).toBe(true);
});
