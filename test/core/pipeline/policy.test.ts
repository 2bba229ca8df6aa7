import { expect, test } from 'vitest';
import { DEFAULT_POLICY } from '../../../src/core/pipeline/policy.ts';

test('by default a person approves the architect’s output, and auto-merge needs the permission of the repository', () => {
  expect(DEFAULT_POLICY).toMatchObject({
    approvals: { architect: 'required', merge: 'auto' },
    autoMergeAllowed: false,
    qualityGate: 'none',
  });
});

test('by default only changes to the retro paths keep evidence valid', () => {
  expect(DEFAULT_POLICY.retroPaths).toEqual(['docs/solutions/**']);
});

test('by default three rounds are allowed for each reason, and an anomaly is investigated in two steps', () => {
  const { no_pr, no_review, ...rounds } = DEFAULT_POLICY.rounds;
  expect([no_pr, no_review]).toEqual([2, 2]);
  expect(new Set(Object.values(rounds))).toEqual(new Set([3]));
});
