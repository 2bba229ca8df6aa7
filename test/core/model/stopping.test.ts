import { expect, test } from 'vitest';
import { describePendingStop } from '../../../src/core/model/lifecycle.ts';

const SINCE = 1_000_000;
const GRACE = { since: SINCE, graceEndsAt: SINCE + 30_000 };

test.each([
  [0, 'stopping (at most 30s of its grace period left)'],
  [12_300, 'stopping (began 12s ago, at most 18s of its grace period left)'],
  [29_999, 'stopping (began 29s ago, at most 1s of its grace period left)'],
  [30_000, 'stopping (began 30s ago, its grace period is over)'],
])(
  'describes, %i ms after the stop request, how long the worker has been stopping and how long it may still take',
  (after, words) => {
    expect(describePendingStop(GRACE, SINCE + after)).toBe(words);
  },
);

test('states that a halted worker has no grace period', () => {
  expect(describePendingStop({ since: SINCE, graceEndsAt: SINCE }, SINCE + 2_000)).toBe(
    'stopping (began 2s ago, without a grace period)',
  );
});

test('puts the reason for the stop first', () => {
  expect(describePendingStop(GRACE, SINCE, 'A-1 was moved to Done')).toBe(
    'stopping (A-1 was moved to Done; at most 30s of its grace period left)',
  );
});
