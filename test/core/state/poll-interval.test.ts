import { expect, test } from 'vitest';
import { pollIntervalMs } from '../../../src/swarm/poll-interval.ts';

test.each([
  [0, 30_000],
  [4, 30_000],
  [5, 300_000],
  [19, 300_000],
  [20, 900_000],
  [10_000, 900_000],
])('after %i polls without news the next one is %i ms away', (unchanged, ms) => {
  expect(pollIntervalMs(unchanged)).toBe(ms);
});

test('never polls more often in the holding pattern than the operator asked for in general', () => {
  expect(pollIntervalMs(7, 600_000)).toBe(600_000);
});
