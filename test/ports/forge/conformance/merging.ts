/** Tests that a merge either adds exactly one commit to the checked base or changes nothing. */
import { describe, expect, test } from 'vitest';
import { LegionError } from '../../../../src/core/model/fault.ts';
import { refusal } from '../refusal.ts';
import { NEVER, type Present, pullRequest, read, TEXT, withLine } from './forge-under-test.ts';

export function merging(present: Present): void {
  describe('merging', () => {
    test('squashes the branch onto the base and mentions the issue in the commit message', async () => {
      const { hand } = present();
      const forge = await present().fresh();
      await pullRequest(present(), forge, 'eng-1', { 'a.txt': 'first\n' });
      await hand.commit('eng-1', { 'a.txt': 'second\n' });
      const headSha = await forge.push('eng-1', hand.workspace('eng-1'));
      const { number, baseSha } = await read(forge, 'eng-1');
      const { mergedSha } = await forge.merge(number, { headSha, baseSha });
      expect(await hand.baseSha()).toBe(mergedSha);
      expect(await hand.baseLength()).toBe(2);
      expect(await hand.readOnBase('a.txt')).toBe('second\n');
      expect(await hand.messageOf(mergedSha)).toMatch(
        /^Add a greeting[^\n]*\n\nCloses ENG-1\n[\s\S]*^Legion-Issue: ENG-1$/m,
      );
    });

    test('keeps reporting a merged pull request with its merge commit, whatever happens to its branch', async () => {
      const { hand } = present();
      const forge = await present().fresh();
      const { number, headSha } = await pullRequest(present(), forge, 'eng-1', { 'a.txt': 'a\n' });
      const { mergedSha } = await forge.merge(number, { headSha, baseSha: await hand.baseSha() });
      const merged = { number, state: 'merged', headSha, mergedSha, changedFiles: ['a.txt'], additions: 1 };
      expect(await read(forge, 'eng-1')).toMatchObject(merged);
      await hand.deleteBranch('eng-1');
      await hand.commitToBase({ 'a.txt': 'later\n' });
      expect(await read(await present().reopen(), 'eng-1')).toMatchObject(merged);
    });

    test('returns the same commit if the pull request is already merged, and changes nothing', async () => {
      const { hand } = present();
      const forge = await present().fresh();
      const { number, headSha } = await pullRequest(present(), forge, 'eng-1', { 'a.txt': 'a' });
      const at = { headSha, baseSha: await hand.baseSha() };
      const { mergedSha } = await forge.merge(number, at);
      await hand.commitToBase({ 'b.txt': 'b' });
      const base = await hand.baseSha();
      expect(await forge.merge(number, at)).toMatchObject({ mergedSha });
      expect(await (await present().reopen()).merge(number, at)).toMatchObject({ mergedSha });
      expect(await hand.baseSha()).toBe(base);
      expect(await refusal(forge.abandon(number))).toMatchObject({ code: 'forge.not_open' });
    });

    test('rejects if the head has moved since it was checked', async () => {
      const { hand } = present();
      const forge = await present().fresh();
      const { number, headSha } = await pullRequest(present(), forge, 'eng-1', { 'a.txt': 'a' });
      const baseSha = await hand.baseSha();
      await hand.commit('eng-1', { 'b.txt': 'unseen' });
      await forge.push('eng-1', hand.workspace('eng-1'));
      expect(await refusal(forge.merge(number, { headSha, baseSha }))).toMatchObject({
        code: 'forge.head_moved',
        retryable: true,
      });
      expect(await hand.baseSha()).toBe(baseSha);
    });

    test('rejects if the base has moved since it was checked, and succeeds once the new base is checked', async () => {
      const { hand } = present();
      const forge = await present().fresh();
      const { number, headSha } = await pullRequest(present(), forge, 'eng-1', {
        'app.txt': withLine(2, 'mine'),
      });
      const baseSha = await hand.baseSha();
      await hand.commitToBase({ 'app.txt': withLine(9, 'theirs') });
      expect(await refusal(forge.merge(number, { headSha, baseSha }))).toMatchObject({
        code: 'forge.base_moved',
        retryable: true,
      });
      await forge.merge(number, { headSha, baseSha: await hand.baseSha() });
      expect(await hand.readOnBase('app.txt')).toMatch(/mine[\s\S]*theirs/);
      expect(await hand.baseLength()).toBe(3);
    });

    test('rejects one of two concurrent merges; when retried, that merge is put on top of the other', async () => {
      const { hand } = present();
      const forge = await present().fresh();
      const other = await present().reopen();
      const one = await pullRequest(present(), forge, 'eng-1', { 'a.txt': 'a' });
      const two = await pullRequest(present(), forge, 'eng-2', { 'b.txt': 'b' });
      const baseSha = await hand.baseSha();
      const outcomes = await Promise.allSettled([
        forge.merge(one.number, { headSha: one.headSha, baseSha }),
        other.merge(two.number, { headSha: two.headSha, baseSha }),
      ]);
      expect(outcomes.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
      const lost = outcomes.findIndex(({ status }) => status === 'rejected');
      expect(outcomes[lost]).toMatchObject({ reason: expect.any(LegionError) });
      expect((outcomes[lost] as PromiseRejectedResult).reason).toMatchObject({
        code: 'forge.base_moved',
        retryable: true,
      });
      const retried = [one, two][lost];
      if (retried === undefined) throw new Error('nobody lost');
      await forge.merge(retried.number, { headSha: retried.headSha, baseSha: await hand.baseSha() });
      expect([await hand.readOnBase('a.txt'), await hand.readOnBase('b.txt')]).toEqual(['a', 'b']);
      expect(await hand.baseLength()).toBe(3);
    });

    test('merges once if the same merge is requested twice concurrently', async () => {
      const { hand } = present();
      const forge = await present().fresh();
      const other = await present().reopen();
      const { number, headSha } = await pullRequest(present(), forge, 'eng-1', { 'a.txt': 'a' });
      const at = { headSha, baseSha: await hand.baseSha() };
      const [first, second] = await Promise.all([forge.merge(number, at), other.merge(number, at)]);
      expect(first.mergedSha).toBe(second.mergedSha);
      expect(await hand.baseLength()).toBe(2);
    });

    test('rejects a conflict, lists the files and leaves the base unchanged', async () => {
      const { hand } = present();
      const forge = await present().fresh();
      const { number, headSha } = await pullRequest(present(), forge, 'eng-1', {
        'app.txt': withLine(2, 'mine'),
      });
      const baseSha = await hand.commitToBase({ 'app.txt': withLine(2, 'theirs') });
      expect(await refusal(forge.merge(number, { headSha, baseSha }))).toMatchObject({
        code: 'forge.conflict',
        message: expect.stringContaining('app.txt'),
        retryable: false,
      });
      expect(await hand.baseSha()).toBe(baseSha);
      expect(await read(forge, 'eng-1')).toMatchObject({ state: 'open', mergeable: 'conflicting' });
    });

    test('rejects a draft until it is marked ready', async () => {
      const { hand } = present();
      const forge = await present().fresh();
      await hand.commit('eng-1', { 'a.txt': 'a' });
      const headSha = await forge.push('eng-1', hand.workspace('eng-1'));
      const number = await forge.open('eng-1', { ...TEXT, draft: true });
      const at = { headSha, baseSha: await hand.baseSha() };
      expect(await refusal(forge.merge(number, at))).toMatchObject({ code: 'forge.draft' });
      await forge.markReady(number);
      await forge.merge(number, at);
    });

    test('rejects a pull request whose branch was deleted', async () => {
      const { hand } = present();
      const forge = await present().fresh();
      const { number, headSha } = await pullRequest(present(), forge, 'eng-1', { 'a.txt': 'a' });
      await hand.deleteBranch('eng-1');
      const call = forge.merge(number, { headSha, baseSha: await hand.baseSha() });
      expect(await refusal(call)).toMatchObject({ code: 'forge.branch_missing' });
    });

    test('keeps returning the merged pull request for its branch, and opens a new one once the branch has new commits', async () => {
      const { hand } = present();
      const forge = await present().fresh();
      const { number, headSha } = await pullRequest(present(), forge, 'eng-1', { 'a.txt': 'a' });
      await forge.merge(number, { headSha, baseSha: await hand.baseSha() });
      expect(await forge.open('eng-1', TEXT)).toBe(number);
      await hand.commit('eng-1', { 'b.txt': 'b' });
      await forge.push('eng-1', hand.workspace('eng-1'));
      const next = await forge.open('eng-1', TEXT);
      expect(next).toBeGreaterThan(number);
      expect(await read(forge, 'eng-1')).toMatchObject({ number: next, state: 'open' });
      expect((await forge.pullRequests(['eng-1'], NEVER)).size).toBe(1);
    });
  });
}
