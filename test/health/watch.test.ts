import { expect, test } from 'vitest';
import { watchingSince } from '../../src/health/watch.ts';
import { ago, HOUR, NOW, SECOND } from './world.ts';

const since = (lastRoundAt: number, previous = ago(HOUR)) => watchingSince(previous, lastRoundAt, NOW, {});

test('an unbroken watch goes on', () => {
  expect(since(ago(60 * SECOND))).toBe(ago(HOUR));
  expect(since(ago(90 * SECOND))).toBe(ago(HOUR));
});

test('a machine that slept begins its watch anew', () => {
  expect(since(ago(90 * SECOND + 1))).toBe(NOW);
  expect(since(ago(8 * HOUR))).toBe(NOW);
});

test('a clock that was set back, or cannot be read, begins the watch anew', () => {
  expect(since(NOW + 1)).toBe(NOW);
  expect(since(Number.NaN)).toBe(NOW);
  expect(since(ago(SECOND), NOW + HOUR)).toBe(NOW);
});
