import { expect, test } from 'vitest';
import { computeWatchingSince } from '../../../src/core/health/clock.ts';
import { ago, HOUR, NOW, SECOND } from './support/world.ts';

/** `slept` is the time for which the monotonic clock stood still between two rounds. */
const since = (lastRoundAt: number, previous = ago(HOUR), slept = 0) => {
  const lastRound = { now: lastRoundAt, monotonic: 0 };
  const present = { now: NOW, monotonic: NOW - lastRoundAt - slept };
  return computeWatchingSince(previous, lastRound, present, {});
};

test('keeps the start time of monitoring if the last round was at most 90 s ago', () => {
  expect(since(ago(60 * SECOND))).toBe(ago(HOUR));
  expect(since(ago(90 * SECOND))).toBe(ago(HOUR));
});

test('resets the start time of monitoring to now after the machine slept', () => {
  expect(since(ago(90 * SECOND + 1))).toBe(NOW);
  expect(since(ago(8 * HOUR))).toBe(NOW);
  expect(since(ago(30 * SECOND), ago(HOUR), 10 * SECOND)).toBe(NOW);
});

test('resets the start time of monitoring to now if the clock is set ahead, but not for small corrections', () => {
  expect(since(ago(60 * SECOND), ago(HOUR), 30 * SECOND)).toBe(NOW);
  expect(since(ago(60 * SECOND), ago(HOUR), -30 * SECOND)).toBe(NOW);
  expect(since(ago(60 * SECOND), ago(HOUR), 4 * SECOND)).toBe(ago(HOUR));
});

test('resets the start time of monitoring to now if the clock is set back or unreadable', () => {
  expect(since(NOW + 1)).toBe(NOW);
  expect(since(Number.NaN)).toBe(NOW);
  expect(since(ago(SECOND), NOW + HOUR)).toBe(NOW);
});
