/** Tests that a push moves only the given branch. */
import { describe, expect, test } from 'vitest';
import { refusal } from '../refusal.ts';
import { type Present, pullRequest, read } from './forge-under-test.ts';

export function pushing(present: Present): void {
  describe('pushing', () => {
    test("resolves to the workspace's commit, even when repeated", async () => {
      const forge = await present().fresh();
      const sha = await present().hand.commit('eng-1', { 'a.txt': 'a' });
      const workspace = present().hand.workspace('eng-1');
      expect(await forge.push('eng-1', workspace)).toBe(sha);
      expect(await forge.push('eng-1', workspace)).toBe(sha);
    });

    test('accepts a history that the worker has rebased', async () => {
      const forge = await present().fresh();
      const { number, headSha } = await pullRequest(present(), forge, 'eng-1', { 'a.txt': 'a' });
      await present().hand.commitToBase({ 'b.txt': 'b' });
      const rebased = await present().hand.rebase('eng-1');
      expect(rebased).not.toBe(headSha);
      expect(await forge.push('eng-1', present().hand.workspace('eng-1'))).toBe(rebased);
      expect(await read(forge, 'eng-1')).toMatchObject({ number, headSha: rebased, changedFiles: ['a.txt'] });
    });

    test('never moves the base, or a branch that is not checked out in the workspace', async () => {
      const forge = await present().fresh();
      await present().hand.commit('eng-1', { 'a.txt': 'a' });
      const workspace = present().hand.workspace('eng-1');
      const before = await present().hand.baseSha();
      for (const base of ['main', 'Main', 'MAIN']) {
        expect(await refusal(forge.push(base, workspace)), base).toMatchObject({
          code: 'forge.branch_refused',
        });
      }
      expect(await refusal(forge.push('eng-2', workspace))).toMatchObject({
        code: 'forge.workspace_unusable',
      });
      expect(await present().hand.baseSha()).toBe(before);
    });

    test('reports a missing workspace', async () => {
      const forge = await present().fresh();
      for (const workspace of ['/nowhere/at/all', '/']) {
        expect(await refusal(forge.push('eng-1', workspace)), workspace).toMatchObject({
          code: 'forge.workspace_unusable',
        });
      }
    });
  });
}
