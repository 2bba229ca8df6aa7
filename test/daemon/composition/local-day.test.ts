import { expect, test } from 'vitest';
import { toLocalDay } from '../../../src/daemon/composition/open-context.ts';

test('returns a local day from midnight to midnight', () => {
  const noon = new Date(2026, 5, 15, 12, 30).getTime();
  const { startedAt, endsAt } = toLocalDay(noon);
  expect(startedAt).toBe(new Date(2026, 5, 15).getTime());
  expect(endsAt).toBe(new Date(2026, 5, 16).getTime());
  expect(toLocalDay(startedAt)).toEqual({ startedAt, endsAt });
  expect(toLocalDay(endsAt).startedAt).toBe(endsAt);
});

test('ends the last day of a month at the start of the next month', () => {
  const { endsAt } = toLocalDay(new Date(2026, 0, 31, 23, 59).getTime());
  expect(endsAt).toBe(new Date(2026, 1, 1).getTime());
});
