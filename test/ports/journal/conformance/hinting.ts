/** Tests subscriptions, which only hint that there may be new events. */
import { setImmediate } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { message, messages, STAMP } from '../events.ts';
import { refusal } from '../refusal.ts';
import type { Present } from './journal-under-test.ts';

export function hinting(present: Present): void {
  describe('hints', () => {
    test('call every listener after an append, without passing an event', async () => {
      const journal = await present().fresh();
      const calls: unknown[][] = [];
      journal.subscribe((...given: unknown[]) => void calls.push(given));
      journal.subscribe((...given: unknown[]) => void calls.push(given));
      await journal.append(messages(1, 3), 0, STAMP);
      await setImmediate();
      expect(calls.length).toBeGreaterThanOrEqual(2);
      expect(calls.flat()).toEqual([]);
    });

    test('arrive after the events can be read', async () => {
      const journal = await present().fresh();
      const seen: Promise<number>[] = [];
      journal.subscribe(() => void seen.push(journal.version()));
      await journal.append(messages(1, 3), 0, STAMP);
      await setImmediate();
      expect(await Promise.all(seen)).toContain(3);
    });

    test('protect the writer and other listeners from a listener that fails', async () => {
      const journal = await present().fresh();
      let called = 0;
      journal.subscribe(() => {
        throw new Error('a listener broke');
      });
      journal.subscribe((() => Promise.reject(new Error('a listener broke later'))) as () => void);
      journal.subscribe(() => {
        called += 1;
      });
      expect(await journal.append([message(1)], 0, STAMP)).toBe(1);
      expect(await journal.append([message(2)], 1, STAMP)).toBe(2);
      await setImmediate();
      expect(called).toBeGreaterThanOrEqual(2);
    });

    test('allow a listener to append', async () => {
      const journal = await present().fresh();
      let follow: Promise<number> | undefined;
      journal.subscribe(() => {
        follow ??= journal.append([message(2)], 1, STAMP);
      });
      await journal.append([message(1)], 0, STAMP);
      await setImmediate();
      expect(await follow).toBe(2);
    });

    test('continue for a function that subscribed twice until both subscriptions are cancelled', async () => {
      const journal = await present().fresh();
      let calls = 0;
      const listener = () => {
        calls += 1;
      };
      const stopFirst = journal.subscribe(listener);
      const stopSecond = journal.subscribe(listener);
      stopFirst();
      stopFirst();
      await journal.append([message(1)], 0, STAMP);
      await setImmediate();
      const before = calls;
      expect(before).toBeGreaterThanOrEqual(1);
      stopSecond();
      await journal.append([message(2)], 1, STAMP);
      await setImmediate();
      expect(calls).toBe(before);
    });

    test('do not reach a listener that unsubscribed before they arrived', async () => {
      const journal = await present().fresh();
      let calls = 0;
      const stop = journal.subscribe(() => {
        calls += 1;
      });
      const appended = journal.append([message(1)], 0, STAMP);
      stop();
      await appended;
      await setImmediate();
      expect(calls).toBe(0);
    });

    test('are not emitted if nothing was written', async () => {
      const journal = await present().fresh();
      let calls = 0;
      journal.subscribe(() => {
        calls += 1;
      });
      await journal.append([], 0, STAMP);
      await refusal(journal.append([message(1)], 7, STAMP));
      await setImmediate();
      expect(calls).toBe(0);
    });
  });
}
