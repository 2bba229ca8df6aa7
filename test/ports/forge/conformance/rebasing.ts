/** Tests that changes which come from a newer base are told apart from the branch's own changes. */
import { describe, expect, test } from 'vitest';
import { changeSince, type Files, type Present, pullRequest, withLine } from './forge-under-test.ts';

const WAYS = ['rebase', 'mergeBase'] as const;
const UNCHANGED = { own: [], overlap: [], rebased: true };

export function rebasing(present: Present): void {
  /**
   * Opens a pull request, commits to the base and updates the branch. Resolves to the changes since
   * the pull request's first head.
   */
  async function bringUpToDate(
    way: (typeof WAYS)[number],
    { work, base, more }: { readonly work: Files; readonly base: Files; readonly more?: Files },
  ): Promise<unknown> {
    const forge = await present().fresh();
    const { hand } = present();
    const { headSha } = await pullRequest(present(), forge, 'eng-1', work);
    await hand.commitToBase(base);
    expect(await hand[way]('eng-1')).not.toBe(headSha);
    if (more !== undefined) await hand.commit('eng-1', more);
    await forge.push('eng-1', hand.workspace('eng-1'));
    return changeSince(forge, 'eng-1', headSha);
  }

  describe.each(WAYS)('after the branch was updated by `%s`', (way) => {
    test('the branch’s own changes stay the same if the base changed only other files', async () => {
      const change = await bringUpToDate(way, { work: { 'a.txt': 'a' }, base: { 'b.txt': 'b' } });
      expect(change).toEqual(UNCHANGED);
    });

    test('a file that both base and branch changed is an overlap, even if it merges cleanly', async () => {
      const change = await bringUpToDate(way, {
        work: { 'app.txt': withLine(1, 'ours'), 'a.txt': 'a' },
        base: { 'app.txt': withLine(10, 'theirs'), 'b.txt': 'b' },
      });
      expect(change).toEqual({ own: [], overlap: ['app.txt'], rebased: true });
    });

    test('a new commit of the branch is the branch’s own change', async () => {
      const change = await bringUpToDate(way, {
        work: { 'a.txt': 'a' },
        base: { 'b.txt': 'b' },
        more: { 'a.txt': 'a ', 'docs/solutions/x.md': 'x' },
      });
      expect(change).toEqual({ own: ['a.txt', 'docs/solutions/x.md'], overlap: [], rebased: true });
    });
  });

  test('after a rebase, several commits of a branch are still recognized as unchanged', async () => {
    const forge = await present().fresh();
    const { hand } = present();
    await pullRequest(present(), forge, 'eng-1', { 'a.txt': 'a' });
    const tested = await hand.commit('eng-1', { 'c.txt': 'c', 'README.md': undefined });
    await forge.push('eng-1', hand.workspace('eng-1'));
    await hand.commitToBase({ 'b.txt': 'b' });
    await hand.commitToBase({ 'd.txt': 'd' });
    await hand.rebase('eng-1');
    await forge.push('eng-1', hand.workspace('eng-1'));
    expect(await changeSince(forge, 'eng-1', tested)).toEqual(UNCHANGED);
  });

  test('new commits on the base do not appear as the branch’s changes until the branch is updated', async () => {
    const forge = await present().fresh();
    const { headSha } = await pullRequest(present(), forge, 'eng-1', { 'a.txt': 'a' });
    await present().hand.commitToBase({ 'a.txt': 'theirs' });
    expect(await changeSince(forge, 'eng-1', headSha)).toEqual({ own: [], overlap: [], rebased: false });
  });

  test('if the compared commit precedes the branch’s work, all later changes are treated as the branch’s own, even those from the base', async () => {
    const forge = await present().fresh();
    const { hand } = present();
    const base = await hand.baseSha();
    await pullRequest(present(), forge, 'eng-1', { 'a.txt': 'a' });
    await hand.commitToBase({ 'b.txt': 'b' });
    await hand.rebase('eng-1');
    await forge.push('eng-1', hand.workspace('eng-1'));
    expect(await changeSince(forge, 'eng-1', base)).toMatchObject({ own: ['a.txt', 'b.txt'] });
  });
}
