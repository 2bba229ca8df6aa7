import fc from 'fast-check';
import { expect, test } from 'vitest';
import { computeStretchedMs } from '../../../src/daemon/loop/poll-schedule.ts';
import { assertProperty } from '../../support/property.ts';

const HOUR = 3_600_000;
const POLL = 30_000;

function after(remaining: number, untilWhole: number): number {
  return computeStretchedMs(POLL, { limit: 5_000, remaining, resetsAt: 1_000 + untilWhole }, 1_000);
}

test('keeps the polling interval if the API budget is unknown, ample, or enough until its reset', () => {
  expect(computeStretchedMs(POLL, undefined, 0)).toBe(POLL);
  expect(after(5_000, HOUR)).toBe(POLL);
  expect(after(2_500, HOUR)).toBe(POLL);
  expect(after(1_000, HOUR / 10)).toBe(POLL);
});

test('doubles the polling interval if half the expected API budget is left, and quadruples it if a quarter is left', () => {
  expect(after(2_000, 0.8 * HOUR)).toBe(2 * POLL);
  expect(after(1_000, 0.8 * HOUR)).toBe(4 * POLL);
});

test('does not poll with the last tenth of the API budget, which is reserved for writes, but waits for the reset', () => {
  expect(after(500, HOUR / 2)).toBe(HOUR / 2);
  expect(after(0, HOUR)).toBe(HOUR);
});

test('does not wait for a full reset of an API budget that refills gradually', () => {
  const evenly = { limit: 5_000, remaining: 0, resetsAt: HOUR, evenly: true } as const;
  expect(computeStretchedMs(POLL, evenly, 0)).toBe(HOUR / 4);
  expect(computeStretchedMs(POLL, evenly, HOUR - 60_000)).toBe(60_000);
});

test('keeps polling if the reset time of the API budget has passed or is implausibly late', () => {
  expect(after(0, -1)).toBe(POLL);
  expect(after(0, 100 * HOUR)).toBe(HOUR);
});

test('never polls more often with a smaller API budget than with a larger one, nor more often than configured', () => {
  assertProperty(
    fc.property(
      fc.integer({ min: 0, max: 5_000 }),
      fc.integer({ min: 0, max: 5_000 }),
      fc.integer({ min: 1, max: HOUR }),
      (one, other, until) => {
        const [less, more] = [Math.min(one, other), Math.max(one, other)];
        return after(less, until) >= after(more, until) && after(more, until) >= POLL;
      },
    ),
  );
});
