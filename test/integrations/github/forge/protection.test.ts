/** What stands between a pull request and its base, in words. */
import { expect, test } from 'vitest';
import type { MergeAnswer } from '../../../../src/forges/github/ask-merge.ts';
import { protectionOf } from '../../../../src/forges/github/protection.ts';

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
      ...{ id: 'PR', number: 1, state: 'OPEN', isDraft: false, title: '', body: '', headRefName: 'eng-1' },
      ...{ headRefOid: 'h', mergeable: 'MERGEABLE', mergeStateStatus: 'CLEAN', reviewDecision: null },
      ...{
        isMergeQueueEnabled: false,
        author: null,
        headRef: null,
        mergeCommit: null,
        statusCheckRollup: null,
      },
      ...pullRequest,
    } as MergeAnswer['pullRequest'],
  };
}

test('nothing stands between where GitHub sees no block, also with checks that nobody requires', () => {
  for (const mergeStateStatus of ['CLEAN', 'UNSTABLE', 'HAS_HOOKS'] as const)
    expect(protectionOf(answer({ mergeStateStatus }))).toBeUndefined();
});

test('a merge queue is for people to use', () => {
  expect(protectionOf(answer({ isMergeQueueEnabled: true }))).toContain('merge queue');
});

test('a block says what is missing, and says so if GitHub does not', () => {
  const mergeStateStatus = 'BLOCKED';
  expect(protectionOf(answer({ mergeStateStatus }))).toContain('not by what');
  const wanting = answer(
    { mergeStateStatus, reviewDecision: 'REVIEW_REQUIRED' },
    { requiredApprovingReviewCount: 2, requiresConversationResolution: true, requiresSignatures: true },
  );
  expect(protectionOf(wanting)).toBe(
    'the base asks for 2 approving reviews by somebody who may write, every conversation resolved, signed commits',
  );
  const objected = answer({ mergeStateStatus, reviewDecision: 'CHANGES_REQUESTED' });
  expect(protectionOf(objected)).toContain('requested changes');
});

test('of a check that may be on another page nothing is said', () => {
  const contexts = {
    pageInfo: { hasNextPage: true, endCursor: 'next' },
    nodes: [{ name: 'unit', status: 'IN_PROGRESS', conclusion: null }],
  } as const;
  const blocked = answer(
    { mergeStateStatus: 'BLOCKED', statusCheckRollup: { contexts } },
    { requiredStatusCheckContexts: ['unit', 'build'] },
  );
  expect(protectionOf(blocked)).toBe('the base asks for the check "unit", which is in progress');
});
