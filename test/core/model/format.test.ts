/** Tests the formatting of times, counts and amounts as text. */
import { expect, test } from 'vitest';
import {
  formatCount,
  formatDateTime,
  formatDollars,
  formatTimeOfDay,
  formatTokens,
} from '../../../src/core/model/format.ts';

test('formats a time in the machine’s time zone with padded parts', () => {
  const date = new Date(2026, 0, 5, 8, 3, 9);
  expect(formatDateTime(date)).toBe('2026-01-05 08:03:09');
  expect(formatTimeOfDay(date)).toBe('08:03:09');
  expect(formatDateTime(new Date(2026, 10, 15, 23, 59, 58))).toBe('2026-11-15 23:59:58');
});

test('formats an invalid date as a dash', () => {
  expect(formatDateTime(new Date(Number.NaN))).toBe('–');
});

test('formats counts and amounts', () => {
  expect(formatCount(1, 'crash', 'crashes')).toBe('1 crash');
  expect(formatCount(0, 'turn')).toBe('0 turns');
  expect(formatTokens(1_234_567)).toBe('1,234,567 tokens');
  expect(formatDollars(3.2)).toBe('$3.20');
});
