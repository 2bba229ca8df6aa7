import { expect, test } from 'vitest';
import { computePollIntervalMs } from '../../../src/daemon/loop/poll-schedule.ts';

test.each([
  [0, 30_000],
  [4, 30_000],
  [5, 300_000],
  [19, 300_000],
  [20, 900_000],
  [10_000, 900_000],
])('after %i polls without a change, polls again in %i ms', (unchanged, ms) => {
  expect(computePollIntervalMs(unchanged)).toBe(ms);
});

test('never polls more often than the configured interval allows, even when idle', () => {
  expect(computePollIntervalMs(7, 600_000)).toBe(600_000);
});
