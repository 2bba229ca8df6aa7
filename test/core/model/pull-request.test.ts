import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type Review, type ReviewVerdict, reviewVerdict } from '../../../src/core/model/pull-request.ts';
import { assertProperty } from '../../support/property.ts';

/** Reviews of `head` count, those of `old` do not, and of `lost` nobody can say. */
function counts(sha: string): boolean | 'unknown' {
  return sha === 'lost' ? 'unknown' : sha === 'head';
}

describe('what reviews amount to', () => {
  test.each<[string, readonly Review[] | 'unknown', ReviewVerdict]>([
    ['none at all', [], 'none'],
    ['unreadable ones', 'unknown', 'unknown'],
    ['one approval', [approves('ann', 1)], 'approved'],
    ['one request for changes', [objects('ann', 1)], 'changes_requested'],
    ['the same reviewer, later content', [objects('ann', 1), approves('ann', 2)], 'approved'],
    ['the same reviewer, later not content', [approves('ann', 1), objects('ann', 2)], 'changes_requested'],
    ['listed newest first', [approves('ann', 2), objects('ann', 1)], 'approved'],
    ['in the same second, the one listed last', [objects('ann', 1), approves('ann', 1)], 'approved'],
    [
      'one objects, others approve later',
      [objects('ann', 1), approves('bob', 2), approves('eve', 3)],
      'changes_requested',
    ],
    ['an approval of an older commit', [approves('ann', 1, 'old')], 'none'],
    ['an objection to an older commit', [objects('ann', 1, 'old')], 'none'],
    [
      'an approval now and an objection to an older commit',
      [approves('ann', 2), objects('bob', 1, 'old')],
      'approved',
    ],
    [
      'a reviewer whose latest word is on an older commit',
      [approves('ann', 1), approves('ann', 2, 'old')],
      'none',
    ],
    [
      'an approval beside another that may not count',
      [approves('ann', 1, 'head'), approves('bob', 2, 'lost')],
      'approved',
    ],
    ['an approval that may not count', [approves('ann', 1, 'lost')], 'unknown'],
    [
      'an approval beside an objection that may count',
      [approves('ann', 1), objects('bob', 1, 'lost')],
      'unknown',
    ],
    [
      'an objection beside an approval that may count',
      [objects('ann', 1), approves('bob', 1, 'lost')],
      'changes_requested',
    ],
    [
      'reviewers named like parts of an object',
      [objects('__proto__', 1), approves('constructor', 2)],
      'changes_requested',
    ],
  ])('%s', (_, reviews, verdict) => {
    expect(reviewVerdict(reviews, counts)).toBe(verdict);
  });

  test('does not depend on the order in which the forge lists them', () => {
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
        expect(reviewVerdict(shuffled, counts)).toBe(reviewVerdict(listed, counts));
      }),
    );
  });

  test('is never an approval while anyone’s latest word on this commit asks for changes', () => {
    const others = fc.array(
      fc.constantFrom(approves('bob', 1), approves('eve', 2, 'old'), approves('joe', 3, 'lost')),
    );
    assertProperty(
      fc.property(others, (reviews) => {
        expect(reviewVerdict([...reviews, objects('ann', 0)], counts)).toBe('changes_requested');
      }),
    );
  });
});

function approves(reviewer: string, at: number, sha = 'head'): Review {
  return { reviewer, verdict: 'approved', sha, at };
}

function objects(reviewer: string, at: number, sha = 'head'): Review {
  return { reviewer, verdict: 'changes_requested', sha, at };
}
