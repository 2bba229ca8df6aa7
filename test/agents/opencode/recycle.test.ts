/** Tests when an idle server is replaced. */
import { expect, test } from 'vitest';
import { shouldRecycle } from '../../../src/agents/opencode/dialect.ts';

test('a server is replaced if it uses too much memory or is too old', () => {
  const [megabyte, hour] = [1_024 * 1_024, 3_600_000];
  expect(shouldRecycle(800 * megabyte, hour)).toBe(false);
  expect(shouldRecycle(1_600 * megabyte, 0)).toBe(true);
  expect(shouldRecycle(undefined, hour)).toBe(false);
  expect(shouldRecycle(undefined, 3 * hour)).toBe(true);
});
