import { expect, test } from 'vitest';
import { watchingSince } from '../../../src/health/watch.ts';
import { ago, HOUR, NOW, SECOND } from './support/world.ts';

/** `slept`: how long the machine's other clock stood still meanwhile. */
const since = (lastRoundAt: number, previous = ago(HOUR), slept = 0) => {
  const lastRound = { now: lastRoundAt, monotonic: 0 };
  const present = { now: NOW, monotonic: NOW - lastRoundAt - slept };
  return watchingSince(previous, lastRound, present, {});
};

test('an unbroken watch goes on', () => {
  expect(since(ago(60 * SECOND))).toBe(ago(HOUR));
  expect(since(ago(90 * SECOND))).toBe(ago(HOUR));
});

test('a machine that slept begins its watch anew', () => {
  expect(since(ago(90 * SECOND + 1))).toBe(NOW);
  expect(since(ago(8 * HOUR))).toBe(NOW);
  expect(since(ago(30 * SECOND), ago(HOUR), 10 * SECOND)).toBe(NOW);
});

test('a clock that was set ahead begins the watch anew; one that is only corrected does not', () => {
  expect(since(ago(60 * SECOND), ago(HOUR), 30 * SECOND)).toBe(NOW);
  expect(since(ago(60 * SECOND), ago(HOUR), -30 * SECOND)).toBe(NOW);
  expect(since(ago(60 * SECOND), ago(HOUR), 4 * SECOND)).toBe(ago(HOUR));
});

test('a clock that was set back, or cannot be read, begins the watch anew', () => {
  expect(since(NOW + 1)).toBe(NOW);
  expect(since(Number.NaN)).toBe(NOW);
  expect(since(ago(SECOND), NOW + HOUR)).toBe(NOW);
});
