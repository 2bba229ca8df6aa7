import { expect, test } from 'vitest';
import { DEFAULT_POLICY } from '../../../src/core/pipeline/policy.ts';

test('unless told otherwise a person approves the architect’s output, and the repository has to allow auto-merge', () => {
  expect(DEFAULT_POLICY).toMatchObject({
    approvals: { architect: 'required', merge: 'auto' },
    autoMergeAllowed: false,
    qualityGate: 'none',
  });
});

test('unless told otherwise only the retro paths leave proofs valid', () => {
  expect(DEFAULT_POLICY.retroPaths).toEqual(['docs/solutions/**']);
});

test('unless told otherwise every reason allows three rounds, and an anomaly two steps', () => {
  const { no_pr, no_review, ...rounds } = DEFAULT_POLICY.rounds;
  expect([no_pr, no_review]).toEqual([2, 2]);
  expect(new Set(Object.values(rounds))).toEqual(new Set([3]));
});
