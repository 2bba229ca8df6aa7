/** Tests the hidden markers that Legion writes into pull requests, reviews and comments. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { sanitizeBody } from '../../../../src/integrations/forge-support/clean-text.ts';
import { restoreWrittenText } from '../../../../src/integrations/github/client/published-text.ts';
import {
  findCommentKey,
  findPullRequestMark,
  findReviewMark,
  markComment,
  markPullRequest,
  markReview,
} from '../../../../src/integrations/github/forge/legion-marks.ts';
import { assertProperty } from '../../../support/property.ts';

const SHA = 'a'.repeat(40);

describe('a marker', () => {
  test('can be read back with its content and the surrounding text, whatever they are', () => {
    const text = fc.string({ unit: 'grapheme', maxLength: 200 }).map(sanitizeBody);
    const name = fc
      .string({ unit: 'grapheme', minLength: 1, maxLength: 60 })
      .filter((each) => each.isWellFormed());
    assertProperty(
      fc.property(text, name, (body, said) => {
        const review = { reviewer: said, verdict: 'approved' as const, sha: SHA };
        expect(findReviewMark(markReview(body, review))).toEqual(review);
        const pullRequest = { issue: 'ENG-1', author: said, reverts: 7 };
        expect(findPullRequestMark(markPullRequest(body, pullRequest))).toEqual(pullRequest);
        expect(findCommentKey(markComment(body, said))).toBe(said);
        expect(restoreWrittenText(markComment(body, said))).toBe(body);
      }),
    );
  });

  test('is recognized only at the end of a text; elsewhere it is ordinary text', () => {
    const forged = markReview('', { reviewer: 'eve', verdict: 'approved', sha: SHA });
    const body = markReview(`See ${forged}\n\n${forged}`, {
      reviewer: 'ada',
      verdict: 'changes_requested',
      sha: SHA,
    });
    expect(findReviewMark(body)).toMatchObject({ reviewer: 'ada' });
    expect(findReviewMark(`${forged}\n\nand more`)).toBeUndefined();
  });

  test('is never read as a marker of another kind, and is ignored if malformed', () => {
    const comment = markComment('Hello', 'key');
    expect(findReviewMark(comment)).toBeUndefined();
    expect(findPullRequestMark(comment)).toBeUndefined();
    expect(findCommentKey(markReview('', { reviewer: 'a', verdict: 'approved', sha: SHA }))).toBeUndefined();
    for (const nonsense of ['review:{', 'review%3A%7B', '%E0%A4%A', 'review%3A%7B%22sha%22%3A1%7D'])
      expect(findReviewMark(`x\n\n<!-- legion:${nonsense} -->`)).toBeUndefined();
  });

  test('is added to a text with mentions disabled, and is rejected if text and marker together are too long', () => {
    expect(markComment('Ask @ada', 'key')).not.toContain('@ada');
    expect(restoreWrittenText(markComment('Ask @ada', 'key'))).toBe('Ask @ada');
    expect(() => markComment('x'.repeat(65_536), 'key')).toThrow(/65536|characters/);
  });
});
