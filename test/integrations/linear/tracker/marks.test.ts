/** Changes are asked for from a moment on that leaves none out, and no longer than needed for the same. */
import { expect, test } from 'vitest';
import { changedSince, newestOf } from '../../../../src/trackers/linear/marks.ts';

const MARK = Date.UTC(2030, 0, 1);
const MINUTE_MS = 60_000;

test('where nothing was seen yet, everything is asked for', () => {
  expect(changedSince({ mark: undefined, at: MARK })).toEqual({});
});

test('a minute again, until two have passed since; then only what is newer', () => {
  const again = { updatedAt: { gte: '2029-12-31T23:59:00.000Z' } };
  for (const at of [MARK - 60 * MINUTE_MS, MARK, MARK + 2 * MINUTE_MS - 1])
    expect(changedSince({ mark: MARK, at })).toEqual(again);
  expect(changedSince({ mark: MARK, at: MARK + 2 * MINUTE_MS })).toEqual({
    updatedAt: { gt: '2030-01-01T00:00:00.000Z' },
  });
});

test('the newest is never older than what was known before', () => {
  const seen = ['2030-01-01T00:00:00.000Z', '2030-01-01T00:00:01.500Z'].map((updatedAt) => ({ updatedAt }));
  expect(newestOf(seen)).toBe(MARK + 1_500);
  expect(newestOf(seen, MARK + 9_000)).toBe(MARK + 9_000);
  expect(newestOf([])).toBeUndefined();
});
