/** Tests that an append is all or nothing, and that sequence numbers have no gaps. */
import { describe, expect, test } from 'vitest';
import type { EventBody } from '../../../../src/core/model/event.ts';
import { message, messages, readAll, readSeqs, STAMP } from '../events.ts';
import { refusal } from '../refusal.ts';
import type { Present } from './journal-under-test.ts';

export function appending(present: Present): void {
  describe('appending', () => {
    test('starts with an empty journal at version 0', async () => {
      const journal = await present().fresh();
      expect(await journal.version()).toBe(0);
      expect(await readAll(journal)).toEqual([]);
    });

    test('numbers events from 1 without gaps and resolves to the last number', async () => {
      const journal = await present().fresh();
      expect(await journal.append(messages(1, 3), 0, STAMP)).toBe(3);
      expect(await journal.append(messages(4, 4), 3, STAMP)).toBe(4);
      expect(await journal.version()).toBe(4);
      expect(await readSeqs(journal)).toEqual([1, 2, 3, 4]);
    });

    test('stamps every event of an append with the same time and epoch', async () => {
      const journal = await present().fresh();
      await journal.append(messages(1, 2), 0, { at: 1_700_000_000_123.5, epoch: 7 });
      await journal.append(messages(3, 3), 2, { at: -1, epoch: 8 });
      const stamps = (await readAll(journal)).map(({ at, epoch }) => [at, epoch]);
      expect(stamps).toEqual([
        [1_700_000_000_123.5, 7],
        [1_700_000_000_123.5, 7],
        [-1, 8],
      ]);
    });

    test('makes acknowledged events readable after a reopen', async () => {
      const first = await present().fresh();
      await first.append(messages(1, 5), 0, STAMP);
      await first.close();
      const second = await present().reopen();
      expect(await second.version()).toBe(5);
      expect(await readAll(second)).toEqual(
        messages(1, 5).map((body, index) => ({ ...body, ...STAMP, seq: index + 1 })),
      );
    });

    test('rejects a whole batch if one event is invalid', async () => {
      const journal = await present().fresh();
      const invalid: unknown[] = [
        { type: 'message.delivered' },
        { type: 'message.delivered', message: 0 },
        { type: 'message.delivered', message: Number.NaN },
        { type: 'issue.pruned', issue: '../../etc/passwd' },
        { type: 'no.such.type' },
        { message: 1 },
        'text',
        null,
      ];
      for (const body of invalid) {
        const call = journal.append([message(1), body as EventBody, message(2)], 0, STAMP);
        expect(await refusal(call), JSON.stringify(body)).toMatchObject({ code: 'input.invalid' });
      }
      expect(await journal.version()).toBe(0);
      expect(await journal.append([message(1)], 0, STAMP)).toBe(1);
    });

    test('reports which event of a batch is invalid, and in which field', async () => {
      const journal = await present().fresh();
      const call = journal.append([message(1), { ...message(2), to: 5 } as unknown as EventBody], 0, STAMP);
      expect((await refusal(call)).message).toMatch(/Event 2 .*event\.to: expected string/);
    });

    test('rejects a stamp without a finite time or an integer epoch', async () => {
      const journal = await present().fresh();
      for (const stamp of [
        { at: Number.NaN, epoch: 1 },
        { at: Number.POSITIVE_INFINITY, epoch: 1 },
        { at: 1, epoch: -1 },
        { at: 1, epoch: 1.5 },
        { at: 1, epoch: 2 ** 53 },
      ]) {
        const call = journal.append([message(1)], 0, stamp);
        expect(await refusal(call), JSON.stringify(stamp)).toMatchObject({ code: 'input.invalid' });
      }
      expect(await journal.version()).toBe(0);
    });

    test('writes nothing for an empty append and resolves to the current version', async () => {
      const journal = await present().fresh();
      await journal.append(messages(1, 2), 0, STAMP);
      expect(await journal.append([], 2, STAMP)).toBe(2);
      expect(await journal.version()).toBe(2);
    });

    test('writes a batch of thousands of events completely', async () => {
      const journal = await present().fresh();
      expect(await journal.append(messages(1, 5_000), 0, STAMP)).toBe(5_000);
      expect((await readAll(journal)).at(-1)).toMatchObject({ seq: 5_000, message: 5_000 });
    });
  });
}
