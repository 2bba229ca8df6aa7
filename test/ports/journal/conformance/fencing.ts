/** Tests that neither a writer with a stale version nor a replaced leader can write. */
import { describe, expect, test } from 'vitest';
import { LegionError } from '../../../../src/core/model/fault.ts';
import type { Journal } from '../../../../src/ports/journal.ts';
import { message, messages, readAll, readSeqs, STAMP } from '../events.ts';
import { refusal } from '../refusal.ts';
import type { Present } from './journal-under-test.ts';

export function fencing(present: Present): void {
  describe('fencing', () => {
    test('rejects a writer whose version is behind and writes nothing; accepts the writer once its version is current', async () => {
      const one = await present().fresh();
      const two = await present().reopen();
      await one.append(messages(1, 2), 0, STAMP);
      expect(await refusal(two.append(messages(90, 95), 0, STAMP))).toMatchObject({
        code: 'journal.conflict',
        message: expect.stringContaining('version 2'),
      });
      expect(await readSeqs(two)).toEqual([1, 2]);
      expect(await two.append([message(3)], 2, STAMP)).toBe(3);
      expect(await refusal(one.append([message(9)], 2, STAMP))).toMatchObject({ code: 'journal.conflict' });
      expect((await readAll(one)).map((event) => 'message' in event && event.message)).toEqual([1, 2, 3]);
    });

    test('rejects a writer whose version is ahead of the journal', async () => {
      const journal = await present().fresh();
      await journal.append([message(1)], 0, STAMP);
      for (const expected of [2, 1_000, -1, 0.5, Number.NaN]) {
        expect(await refusal(journal.append([message(9)], expected, STAMP))).toMatchObject({
          code: 'journal.conflict',
        });
      }
      expect(await journal.version()).toBe(1);
    });

    test('accepts one of two concurrent appends on one handle and rejects the other', async () => {
      const journal = await present().fresh();
      const outcomes = await Promise.allSettled([
        journal.append(messages(1, 3), 0, STAMP),
        journal.append(messages(4, 6), 0, STAMP),
      ]);
      expect(outcomes.map((outcome) => outcome.status).sort()).toEqual(['fulfilled', 'rejected']);
      expect(await readSeqs(journal)).toEqual([1, 2, 3]);
    });

    test('lets two writers that retry after conflicts write each of their events exactly once, without gaps', async () => {
      const one = await present().fresh();
      const two = await present().reopen();
      await Promise.all([writeWithRetries(one, 1_000, 100), writeWithRetries(two, 2_000, 100)]);
      const events = await readAll(one);
      expect(events.map((event) => event.seq)).toEqual(Array.from({ length: 200 }, (_, index) => index + 1));
      const written = events.map((event) => ('message' in event ? event.message : 0));
      const of = (base: number) => written.filter((serial) => serial >= base && serial < base + 1_000);
      for (const base of [1_000, 2_000]) {
        expect(of(base)).toEqual(Array.from({ length: 100 }, (_, index) => base + index));
      }
    });

    test('rejects an epoch below the highest one, even with the right version', async () => {
      const old = await present().fresh();
      const successor = await present().reopen();
      await old.append([message(1)], 0, { at: 1, epoch: 4 });
      await successor.append([message(2)], 1, { at: 2, epoch: 5 });
      expect(await refusal(old.append([message(3)], 2, { at: 3, epoch: 4 }))).toMatchObject({
        code: 'journal.fenced',
        message: expect.stringContaining('epoch 5'),
      });
      expect(await old.version()).toBe(2);
    });

    test('reports a replaced leader as replaced, even if its version is also behind', async () => {
      const journal = await present().fresh();
      await journal.append(messages(1, 3), 0, { at: 1, epoch: 5 });
      expect(await refusal(journal.append([message(9)], 1, { at: 2, epoch: 4 }))).toMatchObject({
        code: 'journal.fenced',
      });
    });

    test('accepts the same epoch and a higher one', async () => {
      const journal = await present().fresh();
      await journal.append([message(1)], 0, { at: 1, epoch: 0 });
      await journal.append([message(2)], 1, { at: 1, epoch: 0 });
      await journal.append([message(3)], 2, { at: 1, epoch: 9 });
      expect((await readAll(journal)).map((event) => event.epoch)).toEqual([0, 0, 9]);
    });

    test('still applies after every handle was closed and the journal reopened', async () => {
      const first = await present().fresh();
      await first.append([message(1)], 0, { at: 1, epoch: 5 });
      await first.close();
      const second = await present().reopen();
      expect(await refusal(second.append([message(2)], 1, { at: 2, epoch: 4 }))).toMatchObject({
        code: 'journal.fenced',
      });
    });

    test('rejects even an empty append by a stale writer', async () => {
      const journal = await present().fresh();
      await journal.append([message(1)], 0, { at: 1, epoch: 5 });
      expect(await refusal(journal.append([], 0, { at: 2, epoch: 5 }))).toMatchObject({
        code: 'journal.conflict',
      });
      expect(await refusal(journal.append([], 1, { at: 2, epoch: 4 }))).toMatchObject({
        code: 'journal.fenced',
      });
    });

    test('marks the error for a stale version as retryable, and the error for a replaced leader as final', async () => {
      const journal = await present().fresh();
      await journal.append([message(1)], 0, { at: 1, epoch: 5 });
      const conflict = journal.append([message(2)], 0, { at: 1, epoch: 5 });
      await expect(conflict).rejects.toSatisfy((error) => error instanceof LegionError && error.retryable);
      const fenced = journal.append([message(2)], 1, { at: 1, epoch: 4 });
      await expect(fenced).rejects.toSatisfy((error) => error instanceof LegionError && !error.retryable);
    });
  });
}

/** Appends one event at a time and reads the version again after a conflict. */
async function writeWithRetries(journal: Journal, base: number, count: number): Promise<void> {
  for (let written = 0; written < count; ) {
    const version = await journal.version();
    try {
      await journal.append([message(base + written)], version, STAMP);
      written += 1;
    } catch (error) {
      if (!(error instanceof LegionError && error.retryable)) throw error;
    }
  }
}
