/** After `close`, every call rejects with `journal.closed`; closing twice is allowed. */
import { setImmediate } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { refusal } from '../../workspace/refusal.ts';
import { message, messages, readAll, readSeqs, STAMP } from '../events.ts';
import type { Present } from './journal-under-test.ts';

export function closing(present: Present): void {
  describe('closing', () => {
    test('every call after it is refused', async () => {
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

    test('may be done twice', async () => {
      const journal = await present().fresh();
      await journal.close();
      await expect(journal.close()).resolves.toBeUndefined();
    });

    test('a reader under way is refused its next batch', async () => {
      const journal = await present().fresh();
      await journal.append(messages(1, 3_000), 0, STAMP);
      const reader = (async () => {
        for await (const _ of journal.read(0)) await journal.close();
      })();
      expect(await refusal(reader)).toMatchObject({ code: 'journal.closed' });
    });

    test('takes nothing from another handle', async () => {
      const one = await present().fresh();
      const two = await present().reopen();
      await one.append([message(1)], 0, STAMP);
      await one.close();
      expect(await two.append([message(2)], 1, STAMP)).toBe(2);
      expect(await readSeqs(two)).toEqual([1, 2]);
    });

    test('silences listeners from the moment it is called; they may still be stopped', async () => {
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
