/** Tests snapshots, which are only a cache. */
import { describe, expect, test } from 'vitest';
import { messages, readSeqs, STAMP } from '../events.ts';
import { refusal } from '../refusal.ts';
import type { Present } from './journal-under-test.ts';

export function snapshots(present: Present): void {
  describe('snapshots', () => {
    test('are absent in a new journal', async () => {
      const journal = await present().fresh();
      expect(await journal.latestSnapshot()).toBeUndefined();
    });

    test('can be read through any handle; the one with the highest version is returned unchanged', async () => {
      const journal = await present().fresh();
      await journal.append(messages(1, 50), 0, STAMP);
      const newest = { version: 40, shape: 3, state: '{"text":"\\u0000 \u202E \u{1F680}"}' };
      await journal.saveSnapshot({ version: 10, shape: 3, state: 'a' });
      await journal.saveSnapshot(newest);
      await journal.saveSnapshot({ version: 20, shape: 9, state: 'b' });
      expect(await journal.latestSnapshot()).toEqual(newest);
      await journal.close();
      expect(await (await present().reopen()).latestSnapshot()).toEqual(newest);
    });

    test('replace an earlier snapshot of the same version', async () => {
      const journal = await present().fresh();
      await journal.saveSnapshot({ version: 0, shape: 1, state: 'old shape' });
      await journal.saveSnapshot({ version: 0, shape: 2, state: 'new shape' });
      expect(await journal.latestSnapshot()).toEqual({ version: 0, shape: 2, state: 'new shape' });
    });

    test('can all be lost without losing events', async () => {
      const journal = await present().fresh();
      await journal.append(messages(1, 10), 0, STAMP);
      await journal.saveSnapshot({ version: 10, shape: 1, state: 'folded' });
      await present().tamper.removeSnapshots();
      expect(await journal.latestSnapshot()).toBeUndefined();
      expect(await readSeqs(journal)).toHaveLength(10);
      await journal.saveSnapshot({ version: 10, shape: 1, state: 'folded again' });
      expect(await journal.latestSnapshot()).toMatchObject({ state: 'folded again' });
    });

    test('do not change the journal’s version', async () => {
      const journal = await present().fresh();
      await journal.append(messages(1, 2), 0, STAMP);
      await journal.saveSnapshot({ version: 2, shape: 1, state: 's' });
      expect(await journal.append(messages(3, 3), 2, STAMP)).toBe(3);
    });

    test('keep a large state unchanged', async () => {
      const journal = await present().fresh();
      const state = JSON.stringify(Array.from({ length: 200_000 }, (_, index) => `issue ${index} \u00E9`));
      await journal.saveSnapshot({ version: 0, shape: 1, state });
      expect((await journal.latestSnapshot())?.state === state).toBe(true);
    });

    test('are rejected if their version is ahead of the events', async () => {
      const journal = await present().fresh();
      await journal.append(messages(1, 2), 0, STAMP);
      const ahead = journal.saveSnapshot({ version: 3, shape: 1, state: 's' });
      expect(await refusal(ahead)).toMatchObject({ code: 'input.invalid' });
      expect(await journal.latestSnapshot()).toBeUndefined();
    });

    test('are ignored if their version is above that of the last event, which means that events were deleted', async () => {
      const journal = await present().fresh();
      await journal.append(messages(1, 3), 0, STAMP);
      await journal.saveSnapshot({ version: 2, shape: 1, state: 'of two' });
      await journal.saveSnapshot({ version: 3, shape: 1, state: 'of three' });
      await present().tamper.removeEvent(3);
      expect(await journal.latestSnapshot()).toMatchObject({ version: 2, state: 'of two' });
    });

    test('are rejected if their state or numbers cannot be stored exactly', async () => {
      const journal = await present().fresh();
      for (const wrong of [
        { version: 0, shape: 1, state: 'a\0b' },
        { version: 0, shape: 1, state: 'a\uD800b' },
        { version: 0, shape: 1.5, state: 's' },
        { version: -1, shape: 1, state: 's' },
        { version: Number.NaN, shape: 1, state: 's' },
      ]) {
        expect(await refusal(journal.saveSnapshot(wrong)), JSON.stringify(wrong)).toMatchObject({
          code: 'input.invalid',
        });
      }
    });
  });
}
