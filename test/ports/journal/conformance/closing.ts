/**
 * Tests that every call after `close` rejects with `journal.closed`, and that closing twice is
 * allowed.
 */
import { setImmediate } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { message, messages, readAll, readSeqs, STAMP } from '../events.ts';
import { refusal } from '../refusal.ts';
import type { Present } from './journal-under-test.ts';

export function closing(present: Present): void {
  describe('closing', () => {
    test('makes every later call reject', async () => {
      const journal = await present().fresh();
      await journal.append([message(1)], 0, STAMP);
      await journal.close();
      for (const call of [
        () => journal.append([message(2)], 1, STAMP),
        () => journal.append([], 1, STAMP),
        () => journal.version(),
        () => readAll(journal),
        () => journal.saveSnapshot({ version: 1, shape: 1, state: 's' }),
        () => journal.latestSnapshot(),
        async () => journal.subscribe(() => {}),
      ]) {
        expect(await refusal(call()), call.toString()).toMatchObject({ code: 'journal.closed' });
      }
    });

    test('is allowed twice', async () => {
      const journal = await present().fresh();
      await journal.close();
      await expect(journal.close()).resolves.toBeUndefined();
    });

    test('makes a running reader reject at its next batch', async () => {
      const journal = await present().fresh();
      await journal.append(messages(1, 3_000), 0, STAMP);
      const reader = (async () => {
        for await (const _ of journal.read(0)) await journal.close();
      })();
      expect(await refusal(reader)).toMatchObject({ code: 'journal.closed' });
    });

    test('does not affect another handle', async () => {
      const one = await present().fresh();
      const two = await present().reopen();
      await one.append([message(1)], 0, STAMP);
      await one.close();
      expect(await two.append([message(2)], 1, STAMP)).toBe(2);
      expect(await readSeqs(two)).toEqual([1, 2]);
    });

    test('stops calling listeners immediately, and they can still be unsubscribed', async () => {
      const journal = await present().fresh();
      let late = 0;
      let over = false;
      const stop = journal.subscribe(() => {
        if (over) late += 1;
      });
      const appended = journal.append([message(1)], 0, STAMP);
      const closed = journal.close();
      over = true;
      await Promise.allSettled([appended, closed]);
      await setImmediate();
      expect(late).toBe(0);
      expect(stop).not.toThrow();
    });
  });
}
