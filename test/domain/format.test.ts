/** Moments, counts and amounts in words. */
import { expect, test } from 'vitest';
import { counted, dollars, moment, timeOfDay, tokensText } from '../../src/domain/format.ts';

test('a moment is said in the hours of the machine, each part as wide as every other', () => {
  const date = new Date(2026, 0, 5, 8, 3, 9);
  expect(moment(date)).toBe('2026-01-05 08:03:09');
  expect(timeOfDay(date)).toBe('08:03:09');
  expect(moment(new Date(2026, 10, 15, 23, 59, 58))).toBe('2026-11-15 23:59:58');
});

test('what is no moment is said to be none', () => {
  expect(moment(new Date(Number.NaN))).toBe('–');
});

test('says how many of something there are', () => {
  expect(counted(1, 'crash', 'crashes')).toBe('1 crash');
  expect(counted(0, 'turn')).toBe('0 turns');
  expect(tokensText(1_234_567)).toBe('1,234,567 tokens');
  expect(dollars(3.2)).toBe('$3.20');
});
