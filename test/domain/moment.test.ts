/** Moments in words. */
import { expect, test } from 'vitest';
import { moment, timeOfDay } from '../../src/domain/moment.ts';

test('a moment is said in the hours of the machine, each part as wide as every other', () => {
  const date = new Date(2026, 0, 5, 8, 3, 9);
  expect(moment(date)).toBe('2026-01-05 08:03:09');
  expect(timeOfDay(date)).toBe('08:03:09');
  expect(moment(new Date(2026, 10, 15, 23, 59, 58))).toBe('2026-11-15 23:59:58');
});

test('what is no moment is said to be none', () => {
  expect(moment(new Date(Number.NaN))).toBe('–');
});
