import fc from 'fast-check';
import { expect, test } from 'vitest';
import { stretchedMs } from '../../../src/swarm/stretch.ts';
import { assertProperty } from '../../support/property.ts';

const HOUR = 3_600_000;
const POLL = 30_000;

function after(remaining: number, untilWhole: number): number {
  return stretchedMs(POLL, { limit: 5_000, remaining, resetsAt: 1_000 + untilWhole }, 1_000);
}

test('nothing is stretched where nobody counts, where plenty is left, or where it lasts', () => {
  expect(stretchedMs(POLL, undefined, 0)).toBe(POLL);
  expect(after(5_000, HOUR)).toBe(POLL);
  expect(after(2_500, HOUR)).toBe(POLL);
  expect(after(1_000, HOUR / 10)).toBe(POLL);
});

test('with half of what should be left it takes twice as long, with a quarter four times', () => {
  expect(after(2_000, 0.8 * HOUR)).toBe(2 * POLL);
  expect(after(1_000, 0.8 * HOUR)).toBe(4 * POLL);
});

test('the last tenth is kept for writes: the board is read again when the budget is whole', () => {
  expect(after(500, HOUR / 2)).toBe(HOUR / 2);
  expect(after(0, HOUR)).toBe(HOUR);
});

test('a budget that comes back bit by bit is not waited for until it is whole', () => {
  const evenly = { limit: 5_000, remaining: 0, resetsAt: HOUR, evenly: true } as const;
  expect(stretchedMs(POLL, evenly, 0)).toBe(HOUR / 4);
  expect(stretchedMs(POLL, evenly, HOUR - 60_000)).toBe(60_000);
});

test('a window that has ended, or a clock that goes wrong, does not stop the looking', () => {
  expect(after(0, -1)).toBe(POLL);
  expect(after(0, 100 * HOUR)).toBe(HOUR);
});

test('less left never means to look more often, and never more often than asked for', () => {
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
