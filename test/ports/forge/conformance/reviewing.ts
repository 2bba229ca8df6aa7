/**
 * Tests that reviews are stored by reviewer and commit, and that authors cannot review their own
 * work.
 */
import { describe, expect, test } from 'vitest';
import { judgeReviews } from '../../../../src/core/model/pull-request.ts';
import { refusal } from '../refusal.ts';
import {
  APPROVAL,
  changeSince,
  NEVER,
  NO_COMMIT,
  type Present,
  pullRequest,
  read,
} from './forge-under-test.ts';

export function reviewing(present: Present): void {
  describe('reviewing', () => {
    test('stores reviewer, verdict and commit, and lists the text among the remarks', async () => {
      const forge = await present().fresh();
      const { number, headSha } = await pullRequest(present(), forge, 'eng-1', { 'a.txt': 'a' });
      await forge.review(number, {
        ...APPROVAL,
        verdict: 'changes_requested',
        sha: headSha,
        text: 'Name it better',
      });
      expect(await read(forge, 'eng-1')).toMatchObject({
        reviews: [{ reviewer: APPROVAL.reviewer, verdict: 'changes_requested', sha: headSha }],
      });
      expect(await forge.remarks(number, NEVER)).toMatchObject([
        { kind: 'changes_requested', by: APPROVAL.reviewer, text: 'Name it better' },
      ]);
    });

    test('records a repeated review once, even if it comes through another handle', async () => {
      const forge = await present().fresh();
      const { number, headSha } = await pullRequest(present(), forge, 'eng-1', { 'a.txt': 'a' });
      await forge.review(number, { ...APPROVAL, sha: headSha });
      await (await present().reopen()).review(number, { ...APPROVAL, sha: headSha });
      expect((await read(forge, 'eng-1')).reviews).toHaveLength(1);
    });

    test("records every change to a reviewer's verdict", async () => {
      const forge = await present().fresh();
      const { number, headSha } = await pullRequest(present(), forge, 'eng-1', { 'a.txt': 'a' });
      const verdicts = ['approved', 'changes_requested', 'approved', 'changes_requested'] as const;
      for (const verdict of verdicts) {
        await forge.review(number, { ...APPROVAL, verdict, sha: headSha });
        const { reviews } = await read(forge, 'eng-1');
        expect(judgeReviews(reviews, (sha) => sha === headSha)).toBe(verdict);
      }
    });

    test('ties a review to its commit, so that the review is no longer valid after a push', async () => {
      const forge = await present().fresh();
      const { number, headSha } = await pullRequest(present(), forge, 'eng-1', { 'a.txt': 'a' });
      await forge.review(number, { ...APPROVAL, sha: headSha });
      await present().hand.commit('eng-1', { 'a.txt': 'something else' });
      await forge.push('eng-1', present().hand.workspace('eng-1'));
      const seen = await read(forge, 'eng-1');
      expect(seen.headSha).not.toBe(headSha);
      expect(judgeReviews(seen.reviews, (sha) => sha === seen.headSha)).toBe('none');
      expect(await changeSince(forge, 'eng-1', headSha)).toMatchObject({ own: ['a.txt'], rebased: false });
    });

    test('rejects a review by the author, however the name is spelled', async () => {
      const forge = await present().fresh();
      const { number, headSha } = await pullRequest(present(), forge, 'eng-1', { 'a.txt': 'a' });
      for (const reviewer of [
        'eng-1-implement',
        ' ENG-1-Implement ',
        'eng-1-implement\u200b',
        'eng-1-\x1b[0mimplement',
      ]) {
        const call = forge.review(number, { ...APPROVAL, reviewer, sha: headSha });
        expect(await refusal(call), reviewer).toMatchObject({ code: 'forge.own_review', retryable: false });
      }
      expect((await read(forge, 'eng-1')).reviews).toEqual([]);
    });

    test('rejects an unknown commit or an empty reviewer name', async () => {
      const forge = await present().fresh();
      const { number, headSha } = await pullRequest(present(), forge, 'eng-1', { 'a.txt': 'a' });
      for (const sha of [NO_COMMIT, 'HEAD', '', 'eng-1', '--all']) {
        expect(await refusal(forge.review(number, { ...APPROVAL, sha })), sha).toMatchObject({
          code: 'input.invalid',
        });
      }
      const nobody = forge.review(number, { ...APPROVAL, reviewer: ' \0', sha: headSha });
      expect(await refusal(nobody)).toMatchObject({ code: 'input.invalid' });
    });
  });
}
