/** Tests that another pull request can undo a merged one, even later. */
import { describe, expect, test } from 'vitest';
import type { Forge } from '../../../../src/ports/forge.ts';
import { refusal } from '../refusal.ts';
import { type ForgeHarness, type Present, pullRequest, read, withLine } from './forge-under-test.ts';

const REQUEST = { issue: 'ENG-1', author: 'operator' };

export function reverting(present: Present): void {
  describe('reverting', () => {
    test('opens a pull request that undoes only the merge, not later changes', async () => {
      const { hand } = present();
      const forge = await present().fresh();
      const number = await merged(present(), forge, { 'app.txt': withLine(2, 'wrong'), 'new.txt': 'new' });
      await hand.commitToBase({ 'app.txt': withLine(2, 'wrong').replace('line 9', 'right') });
      const base = await hand.baseSha();
      const revert = await forge.revert(number, REQUEST);
      expect(await hand.baseSha(), 'nothing is merged automatically').toBe(base);
      const seen = await read(forge, revert.branch);
      expect(seen).toMatchObject({
        number: revert.number,
        state: 'open',
        author: 'operator',
        mergeable: 'mergeable',
      });
      await forge.merge(seen.number, seen);
      expect(await hand.readOnBase('app.txt')).toBe(withLine(9, 'right'));
      expect(await hand.readOnBase('new.txt')).toBeUndefined();
    });

    test('returns the first revert for a second request, both before and after the revert is merged', async () => {
      const forge = await present().fresh();
      const number = await merged(present(), forge, { 'a.txt': 'a' });
      const first = await forge.revert(number, REQUEST);
      expect(await (await present().reopen()).revert(number, REQUEST)).toEqual(first);
      await forge.merge(first.number, await read(forge, first.branch));
      expect(await forge.revert(number, REQUEST)).toEqual(first);
    });

    test('can revert a revert', async () => {
      const { hand } = present();
      const forge = await present().fresh();
      const number = await merged(present(), forge, { 'a.txt': 'a' });
      const revert = await forge.revert(number, REQUEST);
      await forge.merge(revert.number, await read(forge, revert.branch));
      const again = await forge.revert(revert.number, REQUEST);
      await forge.merge(again.number, await read(forge, again.branch));
      expect(await hand.readOnBase('a.txt')).toBe('a');
    });

    test('rejects a conflict with later changes and lists the files', async () => {
      const { hand } = present();
      const forge = await present().fresh();
      const number = await merged(present(), forge, { 'app.txt': withLine(2, 'wrong') });
      await hand.commitToBase({ 'app.txt': withLine(2, 'wrong, but built upon') });
      expect(await refusal(forge.revert(number, REQUEST))).toMatchObject({
        code: 'forge.revert_conflict',
        message: expect.stringContaining('app.txt'),
        next: expect.stringContaining('git revert'),
      });
    });

    test('rejects a pull request that is not merged or was already undone by hand', async () => {
      const { hand } = present();
      const forge = await present().fresh();
      const { number: open } = await pullRequest(present(), forge, 'eng-2', { 'b.txt': 'b' });
      expect(await refusal(forge.revert(open, REQUEST))).toMatchObject({ code: 'forge.not_merged' });
      const number = await merged(present(), forge, { 'a.txt': 'a' });
      await hand.commitToBase({ 'a.txt': undefined });
      expect(await refusal(forge.revert(number, REQUEST))).toMatchObject({ code: 'forge.nothing_to_merge' });
    });
  });
}

async function merged(
  harness: ForgeHarness,
  forge: Forge,
  files: Readonly<Record<string, string>>,
): Promise<number> {
  const { number, headSha } = await pullRequest(harness, forge, 'eng-1', files);
  await forge.merge(number, { headSha, baseSha: await harness.hand.baseSha() });
  return number;
}
