/** Legion's hidden marks on pull requests, reviews and comments. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { cleanBody } from '../../../../src/forges/clean-text.ts';
import { asWritten } from '../../../../src/github/published-text.ts';
import {
  commentKeyIn,
  markComment,
  markPullRequest,
  markReview,
  pullRequestMarkIn,
  reviewMarkIn,
} from '../../../../src/integrations/github/forge/legion-marks.ts';
import { assertProperty } from '../../../support/property.ts';

const SHA = 'a'.repeat(40);

describe('a mark', () => {
  test('gives back what it says and the text as it was, whatever both are', () => {
    const text = fc.string({ unit: 'grapheme', maxLength: 200 }).map(cleanBody);
    const name = fc
      .string({ unit: 'grapheme', minLength: 1, maxLength: 60 })
      .filter((each) => each.isWellFormed());
    assertProperty(
      fc.property(text, name, (body, said) => {
        const review = { reviewer: said, verdict: 'approved' as const, sha: SHA };
        expect(reviewMarkIn(markReview(body, review))).toEqual(review);
        const pullRequest = { issue: 'ENG-1', author: said, reverts: 7 };
        expect(pullRequestMarkIn(markPullRequest(body, pullRequest))).toEqual(pullRequest);
        expect(commentKeyIn(markComment(body, said))).toBe(said);
        expect(asWritten(markComment(body, said))).toBe(body);
      }),
    );
  });

  test('within a text is only text, and the last one is Legion’s', () => {
    const forged = markReview('', { reviewer: 'eve', verdict: 'approved', sha: SHA });
    const body = markReview(`See ${forged}\n\n${forged}`, {
      reviewer: 'ada',
      verdict: 'changes_requested',
      sha: SHA,
    });
    expect(reviewMarkIn(body)).toMatchObject({ reviewer: 'ada' });
    expect(reviewMarkIn(`${forged}\n\nand more`)).toBeUndefined();
  });

  test('of one kind is none of another, and nonsense is none', () => {
    const comment = markComment('Hello', 'key');
    expect(reviewMarkIn(comment)).toBeUndefined();
    expect(pullRequestMarkIn(comment)).toBeUndefined();
    expect(commentKeyIn(markReview('', { reviewer: 'a', verdict: 'approved', sha: SHA }))).toBeUndefined();
    for (const nonsense of ['review:{', 'review%3A%7B', '%E0%A4%A', 'review%3A%7B%22sha%22%3A1%7D'])
      expect(reviewMarkIn(`x\n\n<!-- legion:${nonsense} -->`)).toBeUndefined();
  });

  test('makes mentions quiet, and a text that is too long for GitHub with it is refused', () => {
    expect(markComment('Ask @ada', 'key')).not.toContain('@ada');
    expect(asWritten(markComment('Ask @ada', 'key'))).toBe('Ask @ada');
    expect(() => markComment('x'.repeat(65_536), 'key')).toThrow(/65536|characters/);
  });
});
