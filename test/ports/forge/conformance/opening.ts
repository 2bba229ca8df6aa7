/**
 * Tests that opening, editing, labelling, commenting on and abandoning a pull request are
 * idempotent.
 */
import { describe, expect, test } from 'vitest';
import { refusal } from '../refusal.ts';
import { NEVER, type Present, pullRequest, read, TEXT } from './forge-under-test.ts';

export function opening(present: Present): void {
  describe('opening', () => {
    test('reports no pull request for a branch that has none', async () => {
      const forge = await present().fresh();
      await present().hand.commit('eng-1', { 'a.txt': 'a' });
      await forge.push('eng-1', present().hand.workspace('eng-1'));
      expect((await forge.pullRequests(['eng-1', 'never-there'], NEVER)).size).toBe(0);
    });

    test('reads back a pull request as it was written', async () => {
      const forge = await present().fresh();
      const { number, headSha } = await pullRequest(present(), forge, 'eng-1', { 'a.txt': 'one\ntwo\n' });
      expect(await read(forge, 'eng-1')).toMatchObject({
        number,
        branch: 'eng-1',
        state: 'open',
        title: TEXT.title,
        body: TEXT.body,
        author: TEXT.author,
        draft: false,
        headSha,
        baseSha: await present().hand.baseSha(),
        reviews: [],
        labels: [],
        mergeable: 'mergeable',
        additions: 2,
        deletions: 0,
        changedFiles: ['a.txt'],
      });
    });

    test('returns the existing pull request when asked to open it again, even after the forge was reopened', async () => {
      const forge = await present().fresh();
      const { number } = await pullRequest(present(), forge, 'eng-1', { 'a.txt': 'a' });
      expect(await forge.open('eng-1', { ...TEXT, title: 'Another' })).toBe(number);
      const again = await present().reopen();
      expect(await again.open('eng-1', TEXT)).toBe(number);
      expect(await read(again, 'eng-1')).toMatchObject({ title: TEXT.title });
    });

    test('opens one pull request for two concurrent requests', async () => {
      const forge = await present().fresh();
      const other = await present().reopen();
      await present().hand.commit('eng-1', { 'a.txt': 'a' });
      await forge.push('eng-1', present().hand.workspace('eng-1'));
      const numbers = await Promise.all([forge.open('eng-1', TEXT), other.open('eng-1', TEXT)]);
      expect(new Set(numbers).size).toBe(1);
    });

    test('requires a branch that has a commit the base does not have', async () => {
      const forge = await present().fresh();
      expect(await refusal(forge.open('eng-1', TEXT))).toMatchObject({ code: 'forge.branch_missing' });
      await present().hand.commit('eng-1', {});
      await forge.push('eng-1', present().hand.workspace('eng-1'));
      expect(await refusal(forge.open('eng-1', TEXT))).toMatchObject({ code: 'forge.nothing_to_merge' });
    });

    test('changes only the edited text fields, and accepts marking a draft ready twice', async () => {
      const forge = await present().fresh();
      await present().hand.commit('eng-1', { 'a.txt': 'a' });
      await forge.push('eng-1', present().hand.workspace('eng-1'));
      const number = await forge.open('eng-1', { ...TEXT, draft: true });
      await forge.edit(number, { body: 'Fixes ENG-1' });
      expect(await read(forge, 'eng-1')).toMatchObject({
        title: TEXT.title,
        body: 'Fixes ENG-1',
        draft: true,
      });
      await forge.markReady(number);
      await forge.markReady(number);
      expect(await read(forge, 'eng-1')).toMatchObject({ draft: false });
    });

    test('adds and removes labels in one call and keeps the others', async () => {
      const forge = await present().fresh();
      const { number } = await pullRequest(present(), forge, 'eng-1', { 'a.txt': 'a' });
      await forge.label(number, { add: ['bug', 'docs'], remove: [] });
      await forge.label(number, { add: ['bug', 'worker-approved'], remove: ['docs', 'never-there'] });
      expect([...(await read(forge, 'eng-1')).labels].sort()).toEqual(['bug', 'worker-approved']);
    });

    test('posts a comment once per key', async () => {
      const forge = await present().fresh();
      const { number } = await pullRequest(present(), forge, 'eng-1', { 'a.txt': 'a' });
      await forge.comment(number, 'ready', 'All conditions hold');
      await (await present().reopen()).comment(number, 'ready', 'All conditions hold, again');
      await forge.comment(number, 'other', 'Merged');
      expect(await forge.remarks(number, NEVER)).toMatchObject([
        { kind: 'comment', text: 'All conditions hold' },
        { kind: 'comment', text: 'Merged' },
      ]);
    });

    test('edits a comment in place, even if another daemon posted it', async () => {
      const forge = await present().fresh();
      const { number } = await pullRequest(present(), forge, 'eng-1', { 'a.txt': 'a' });
      await forge.putComment(number, 'test', 'first round');
      await forge.comment(number, 'other', 'Merged');
      for (const text of ['second round', 'second round']) await forge.putComment(number, 'test', text);
      await (await present().reopen()).putComment(number, 'test', 'third round');
      expect((await forge.remarks(number, NEVER)).map(({ text }) => text)).toEqual(['third round', 'Merged']);
    });

    test('truncates an edited comment that is too long and adds a note', async () => {
      const forge = await present().fresh();
      const { number } = await pullRequest(present(), forge, 'eng-1', { 'a.txt': 'a' });
      await forge.putComment(number, 'test', 'x'.repeat(65_537));
      const [found] = await forge.remarks(number, NEVER);
      expect(found?.text).toMatch(/^x+\n\n… \(truncated: longer than .+ allows\)$/);
      expect(found?.text.length).toBeLessThanOrEqual(65_536);
    });

    test('ignores an abandoned pull request, and opens another one with a new number for the same branch', async () => {
      const forge = await present().fresh();
      const { number } = await pullRequest(present(), forge, 'eng-1', { 'a.txt': 'a' });
      await forge.abandon(number);
      await forge.abandon(number);
      expect((await forge.pullRequests(['eng-1'], NEVER)).size).toBe(0);
      const { headSha, baseSha } = {
        headSha: await present().hand.baseSha(),
        baseSha: await present().hand.baseSha(),
      };
      expect(await refusal(forge.merge(number, { headSha, baseSha }))).toMatchObject({
        code: 'forge.not_open',
      });
      expect(await forge.open('eng-1', TEXT)).toBeGreaterThan(number);
    });

    test('rejects an unknown pull request number in every call', async () => {
      const forge = await present().fresh();
      const sha = await present().hand.baseSha();
      const calls = [
        () => forge.edit(77, {}),
        () => forge.markReady(77),
        () => forge.label(77, { add: [], remove: [] }),
        () => forge.comment(77, 'key', 'text'),
        () => forge.putComment(77, 'key', 'text'),
        () => forge.remarks(77, NEVER),
        () => forge.abandon(77),
        () => forge.review(77, { reviewer: 'x', verdict: 'approved', sha, text: '' }),
        () => forge.merge(77, { headSha: sha, baseSha: sha }),
        () => forge.revert(77, { issue: 'ENG-1', author: 'x' }),
      ];
      for (const call of calls)
        expect(await refusal(call())).toMatchObject({ code: 'forge.pull_request_missing' });
    });
  });
}
