import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  judgeReviews,
  type PullRequestReview,
  type ReviewVerdict,
} from '../../../src/core/model/pull-request.ts';
import { assertProperty } from '../../support/property.ts';

/**
 * Returns whether reviews of a commit are taken into account. Reviews of `head` are, reviews of
 * `old` are not, and for `lost` the answer is unknown.
 */
function counts(sha: string): boolean | 'unknown' {
  return sha === 'lost' ? 'unknown' : sha === 'head';
}

describe('the review verdict', () => {
  test.each<[string, readonly PullRequestReview[] | 'unknown', ReviewVerdict]>([
    ['is none without reviews', [], 'none'],
    ['is unknown if the reviews are unreadable', 'unknown', 'unknown'],
    ['is approved after one approval', [approves('ann', 1)], 'approved'],
    ['is changes_requested after one request for changes', [objects('ann', 1)], 'changes_requested'],
    [
      'is approved if a reviewer who objected approves later',
      [objects('ann', 1), approves('ann', 2)],
      'approved',
    ],
    [
      'is changes_requested if a reviewer who approved objects later',
      [approves('ann', 1), objects('ann', 2)],
      'changes_requested',
    ],
    [
      'is that of the newest review, even if it is listed first',
      [approves('ann', 2), objects('ann', 1)],
      'approved',
    ],
    [
      'is that of the review listed last if two reviews have the same time',
      [objects('ann', 1), approves('ann', 1)],
      'approved',
    ],
    [
      'is changes_requested if one reviewer objects and others approve later',
      [objects('ann', 1), approves('bob', 2), approves('eve', 3)],
      'changes_requested',
    ],
    ['is none after an approval of an older commit', [approves('ann', 1, 'old')], 'none'],
    ['is none after an objection to an older commit', [objects('ann', 1, 'old')], 'none'],
    [
      'is approved after an approval of this commit and an objection to an older one',
      [approves('ann', 2), objects('bob', 1, 'old')],
      'approved',
    ],
    [
      'is none if the reviewer has since reviewed an older commit',
      [approves('ann', 1), approves('ann', 2, 'old')],
      'none',
    ],
    [
      'is approved after a valid approval and one whose validity is unknown',
      [approves('ann', 1, 'head'), approves('bob', 2, 'lost')],
      'approved',
    ],
    ['is unknown after an approval whose validity is unknown', [approves('ann', 1, 'lost')], 'unknown'],
    [
      'is unknown after a valid approval and an objection whose validity is unknown',
      [approves('ann', 1), objects('bob', 1, 'lost')],
      'unknown',
    ],
    [
      'is changes_requested after a valid objection and an approval whose validity is unknown',
      [objects('ann', 1), approves('bob', 1, 'lost')],
      'changes_requested',
    ],
    [
      'is correct for reviewers named like object properties',
      [objects('__proto__', 1), approves('constructor', 2)],
      'changes_requested',
    ],
  ])('%s', (_, reviews, verdict) => {
    expect(judgeReviews(reviews, counts)).toBe(verdict);
  });

  test('does not depend on the order in which the forge lists the reviews', () => {
    const review = fc.record({
      reviewer: fc.constantFrom('ann', 'bob', 'eve'),
      verdict: fc.constantFrom('approved', 'changes_requested'),
      sha: fc.constantFrom('head', 'old', 'lost'),
      at: fc.nat(),
    });
    const reviews = fc.uniqueArray(review, { selector: ({ at }) => at, maxLength: 8 });
    const both = reviews.chain((listed) =>
      fc.tuple(fc.constant(listed), fc.shuffledSubarray(listed, { minLength: listed.length })),
    );
    assertProperty(
      fc.property(both, ([listed, shuffled]) => {
        expect(judgeReviews(shuffled, counts)).toBe(judgeReviews(listed, counts));
      }),
    );
  });

  test('is never an approval while any reviewer’s latest review of this commit requests changes', () => {
    const others = fc.array(
      fc.constantFrom(approves('bob', 1), approves('eve', 2, 'old'), approves('joe', 3, 'lost')),
    );
    assertProperty(
      fc.property(others, (reviews) => {
        expect(judgeReviews([...reviews, objects('ann', 0)], counts)).toBe('changes_requested');
      }),
    );
  });
});

function approves(reviewer: string, at: number, sha = 'head'): PullRequestReview {
  return { reviewer, verdict: 'approved', sha, at };
}

function objects(reviewer: string, at: number, sha = 'head'): PullRequestReview {
  return { reviewer, verdict: 'changes_requested', sha, at };
}
