import { expect, test } from 'vitest';
import { localDay } from '../../../src/daemon/local-day.ts';

test('a local day goes from midnight to midnight', () => {
  const noon = new Date(2026, 5, 15, 12, 30).getTime();
  const { startedAt, endsAt } = localDay(noon);
  expect(startedAt).toBe(new Date(2026, 5, 15).getTime());
  expect(endsAt).toBe(new Date(2026, 5, 16).getTime());
  expect(localDay(startedAt)).toEqual({ startedAt, endsAt });
  expect(localDay(endsAt).startedAt).toBe(endsAt);
});

test('the last day of a month is followed by the first of the next', () => {
  const { endsAt } = localDay(new Date(2026, 0, 31, 23, 59).getTime());
  expect(endsAt).toBe(new Date(2026, 1, 1).getTime());
});
