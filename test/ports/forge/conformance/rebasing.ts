/** What a newer base below a branch changes, told apart from what the branch itself changes. */
import { describe, expect, test } from 'vitest';
import { changeSince, type Files, type Present, pullRequest, withLine } from './forge-under-test.ts';

const WAYS = ['rebase', 'mergeBase'] as const;
const UNCHANGED = { own: [], overlap: [], rebased: true };

export function rebasing(present: Present): void {
  /** A pull request, then a commit on the base, then the branch brought onto it; resolves to what changed since. */
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

  describe.each(WAYS)('after a %s', (way) => {
    test('an unchanged patch beside other files has changed nothing', async () => {
      const change = await bringUpToDate(way, { work: { 'a.txt': 'a' }, base: { 'b.txt': 'b' } });
      expect(change).toEqual(UNCHANGED);
    });

    test('a file that came in and is also changed by the branch is an overlap, although it merges', async () => {
      const change = await bringUpToDate(way, {
        work: { 'app.txt': withLine(1, 'ours'), 'a.txt': 'a' },
        base: { 'app.txt': withLine(10, 'theirs'), 'b.txt': 'b' },
      });
      expect(change).toEqual({ own: [], overlap: ['app.txt'], rebased: true });
    });

    test('a commit of the branch on top of it is the branch’s own change', async () => {
      const change = await bringUpToDate(way, {
        work: { 'a.txt': 'a' },
        base: { 'b.txt': 'b' },
        more: { 'a.txt': 'a ', 'docs/solutions/x.md': 'x' },
      });
      expect(change).toEqual({ own: ['a.txt', 'docs/solutions/x.md'], overlap: [], rebased: true });
    });
  });

  test('several commits of a branch that are rebased one by one have changed nothing', async () => {
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

  test('a base that moved alone has changed nothing and moved nothing', async () => {
    const forge = await present().fresh();
    const { headSha } = await pullRequest(present(), forge, 'eng-1', { 'a.txt': 'a' });
    await present().hand.commitToBase({ 'a.txt': 'theirs' });
    expect(await changeSince(forge, 'eng-1', headSha)).toEqual({ own: [], overlap: [], rebased: false });
  });

  test('a commit that had no work of its own keeps nothing: everything that came in counts', async () => {
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
