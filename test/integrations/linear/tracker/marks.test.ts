/**
 * Tests the time from which changes are requested. No change is missed, and none is requested
 * repeatedly for longer than needed.
 */
import { expect, test } from 'vitest';
import {
  buildChangedFilter,
  findNewestTime,
} from '../../../../src/integrations/linear/tracker/board-requests.ts';

const MARK = Date.UTC(2030, 0, 1);
const MINUTE_MS = 60_000;

test('requests everything if no change was seen yet', () => {
  expect(buildChangedFilter({ mark: undefined, at: MARK })).toEqual({});
});

test('until two minutes after the newest change, requests the minute before it again; afterwards, requests only newer changes', () => {
  const again = { updatedAt: { gte: '2029-12-31T23:59:00.000Z' } };
  for (const at of [MARK - 60 * MINUTE_MS, MARK, MARK + 2 * MINUTE_MS - 1])
    expect(buildChangedFilter({ mark: MARK, at })).toEqual(again);
  expect(buildChangedFilter({ mark: MARK, at: MARK + 2 * MINUTE_MS })).toEqual({
    updatedAt: { gt: '2030-01-01T00:00:00.000Z' },
  });
});

test('never moves the time of the newest change back', () => {
  const seen = ['2030-01-01T00:00:00.000Z', '2030-01-01T00:00:01.500Z'].map((updatedAt) => ({ updatedAt }));
  expect(findNewestTime(seen)).toBe(MARK + 1_500);
  expect(findNewestTime(seen, MARK + 9_000)).toBe(MARK + 9_000);
  expect(findNewestTime([])).toBeUndefined();
});
