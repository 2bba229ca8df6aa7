/** Tests the explanation of what branch protection still requires. */
import { expect, test } from 'vitest';
import { describeProtection, type MergeAnswer } from '../../../../src/integrations/github/forge/merge.ts';

type Rule = NonNullable<NonNullable<MergeAnswer['base']>['refUpdateRule']>;

const RULE: Rule = {
  requiredStatusCheckContexts: null,
  requiredApprovingReviewCount: null,
  requiresConversationResolution: false,
  requiresSignatures: false,
};

function answer(pullRequest: Partial<MergeAnswer['pullRequest']>, rule: Partial<Rule> = {}): MergeAnswer {
  return {
    base: { target: { oid: 'b' }, refUpdateRule: { ...RULE, ...rule } },
    pullRequest: {
      id: 'PR',
      number: 1,
      state: 'OPEN',
      isDraft: false,
      title: '',
      body: '',
      headRefName: 'eng-1',
      headRefOid: 'h',
      mergeable: 'MERGEABLE',
      mergeStateStatus: 'CLEAN',
      reviewDecision: null,
      isMergeQueueEnabled: false,
      author: null,
      headRef: null,
      mergeCommit: null,
      statusCheckRollup: null,
      ...pullRequest,
    } as MergeAnswer['pullRequest'],
  };
}

test('returns no reason if GitHub does not block the merge, even with failing optional checks', () => {
  for (const mergeStateStatus of ['CLEAN', 'UNSTABLE', 'HAS_HOOKS'] as const)
    expect(describeProtection(answer({ mergeStateStatus }))).toBeUndefined();
});

test('states that the base uses a merge queue', () => {
  expect(describeProtection(answer({ isMergeQueueEnabled: true }))).toContain('merge queue');
});

test('if GitHub blocks the merge, lists the missing requirements or states that GitHub gives no reason', () => {
  const mergeStateStatus = 'BLOCKED';
  expect(describeProtection(answer({ mergeStateStatus }))).toContain('without giving a reason');
  const wanting = answer(
    { mergeStateStatus, reviewDecision: 'REVIEW_REQUIRED' },
    { requiredApprovingReviewCount: 2, requiresConversationResolution: true, requiresSignatures: true },
  );
  expect(describeProtection(wanting)).toBe(
    'the base requires 2 approving reviews by an account with write access, every conversation to be resolved, signed commits',
  );
  const objected = answer({ mergeStateStatus, reviewDecision: 'CHANGES_REQUESTED' });
  expect(describeProtection(objected)).toContain('requested changes');
});

test('does not report a required check as missing if it may be on another page', () => {
  const contexts = {
    pageInfo: { hasNextPage: true, endCursor: 'next' },
    nodes: [{ name: 'unit', status: 'IN_PROGRESS', conclusion: null }],
  } as const;
  const blocked = answer(
    { mergeStateStatus: 'BLOCKED', statusCheckRollup: { contexts } },
    { requiredStatusCheckContexts: ['unit', 'build'] },
  );
  expect(describeProtection(blocked)).toBe('the base requires the check "unit", which is in progress');
});
