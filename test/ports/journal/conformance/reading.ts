/** Tests that reading is ordered and bounded, and never skips an event silently. */
import { describe, expect, test } from 'vitest';
import type { Event } from '../../../../src/core/model/event.ts';
import type { Journal } from '../../../../src/ports/journal.ts';
import { message, messages, readAll, readSeqs, STAMP } from '../events.ts';
import { refusal } from '../refusal.ts';
import type { Present } from './journal-under-test.ts';

export function reading(present: Present): void {
  describe('reading', () => {
    test('returns a long journal in order, in several non-empty batches', async () => {
      const journal = await present().fresh();
      await journal.append(messages(1, 3_000), 0, STAMP);
      const sizes: number[] = [];
      const seqs: number[] = [];
      for await (const batch of journal.read(0)) {
        sizes.push(batch.length);
        seqs.push(...batch.map((event) => event.seq));
      }
      expect(seqs).toEqual(Array.from({ length: 3_000 }, (_, index) => index + 1));
      expect(Math.max(...sizes)).toBeLessThanOrEqual(1_000);
      expect(Math.min(...sizes)).toBeGreaterThan(0);
    });

    test('returns smaller batches if bodies are large', async () => {
      const journal = await present().fresh();
      const megabyte = 'x'.repeat(1_000_000);
      for (let version = 0; version < 30; ) {
        version = await journal.append([message(version + 1, megabyte)], version, STAMP);
      }
      const sizes: number[] = [];
      for await (const batch of journal.read(0)) sizes.push(batch.length);
      expect(sizes.reduce((sum, size) => sum + size)).toBe(30);
      expect(Math.max(...sizes)).toBeLessThanOrEqual(10);
    });

    test('begins after `after` and ends with `through`', async () => {
      const journal = await present().fresh();
      await journal.append(messages(1, 1_500), 0, STAMP);
      expect(await readSeqs(journal, 2, 5)).toEqual([3, 4, 5]);
      expect(await readSeqs(journal, 1_498)).toEqual([1_499, 1_500]);
      expect(await readSeqs(journal, 1_498, 9_999)).toEqual([1_499, 1_500]);
      expect((await readSeqs(journal, 0, 1_200)).at(-1)).toBe(1_200);
      for (const [after, through] of [[1_500], [9_999], [5, 5], [5, 3], [0, 0], [0, -1]] as const) {
        expect(await readSeqs(journal, after, through)).toEqual([]);
      }
    });

    test('rejects an invalid range', async () => {
      const journal = await present().fresh();
      for (const [after, through] of [[-1], [0.5], [Number.NaN], [0, 0.5], [0, Number.NaN]] as const) {
        expect(await refusal(readAll(journal, after, through))).toMatchObject({ code: 'input.invalid' });
      }
    });

    test('includes appends through another handle, and can be repeated', async () => {
      const one = await present().fresh();
      const two = await present().reopen();
      await one.append(messages(1, 2), 0, STAMP);
      expect(await readSeqs(two)).toEqual([1, 2]);
      await one.append(messages(3, 3), 2, STAMP);
      expect(await readSeqs(two)).toEqual([1, 2, 3]);
      expect(await two.version()).toBe(3);
    });

    test('does not block appends, either between two batches or after the reader has stopped early', async () => {
      const journal = await present().fresh();
      let version = await journal.append(messages(1, 2_500), 0, STAMP);
      for await (const batch of journal.read(0, 2_500)) {
        const serial = batch[0]?.seq ?? 0;
        version = await journal.append([message(serial)], version, STAMP);
        if (serial > 1) break;
      }
      expect(version).toBe(2_502);
      expect(await readSeqs(journal, 2_499)).toEqual([2_500, 2_501, 2_502]);
    });
  });

  describe('reading a damaged journal', () => {
    const damages = {
      'a body cut in the middle': (tamper) => tamper.setBody(3, '{"type":"message.queued","messa'),
      'a body that is not JSON': (tamper) => tamper.setBody(3, ''),
      'a body without a field': (tamper) => tamper.setBody(3, '{"type":"message.delivered"}'),
      'a body whose type differs from its row’s': (tamper) =>
        tamper.setBody(3, '{"type":"message.delivered","message":3}'),
      'a body nested too deeply': async (tamper) => {
        await tamper.setType(3, 'handoff.written');
        await tamper.setBody(3, deepHandoff());
      },
      'a missing row': (tamper) => tamper.removeEvent(3),
    } satisfies Record<string, (tamper: ReturnType<Present>['tamper']) => void | Promise<void>>;

    for (const [what, damage] of Object.entries(damages)) {
      test(`reports ${what} as corrupt with its number, and returns every event before it`, async () => {
        const journal = await journalOfFive(present);
        await damage(present().tamper);
        expect(await refusal(readAll(journal))).toMatchObject({
          code: 'journal.corrupt',
          message: expect.stringMatching(/\bevent 3\b/),
        });
        expect(await readSeqs(journal, 0, 2)).toEqual([1, 2]);
      });
    }

    test('reports a missing first row as corruption', async () => {
      const journal = await journalOfFive(present);
      await present().tamper.removeEvent(1);
      expect(await refusal(readAll(journal))).toMatchObject({
        code: 'journal.corrupt',
        message: expect.stringMatching(/\bevent 1\b/),
      });
    });

    test('attributes an unknown event type to a newer Legion version, whatever the event’s body', async () => {
      for (const body of ['{"type":"moon.landed","crew":3}', 'not even JSON']) {
        const journal = await journalOfFive(present);
        await present().tamper.setType(3, 'moon.landed');
        await present().tamper.setBody(3, body);
        expect(await refusal(readAll(journal))).toMatchObject({
          code: 'journal.newer',
          message: expect.stringMatching(/\bevent 3\b.*moon\.landed/),
        });
      }
    });

    test('if a batch contains a damaged row, returns no event of that batch', async () => {
      const journal = await journalOfFive(present);
      await present().tamper.setBody(5, '{');
      const got: Event[] = [];
      const reader = (async () => {
        for await (const batch of journal.read(0)) got.push(...batch);
      })();
      expect(await refusal(reader)).toMatchObject({ code: 'journal.corrupt' });
      expect(got).toEqual([]);
    });

    test('repairs nothing and reports the same error again', async () => {
      await journalOfFive(present);
      await present().tamper.setBody(3, '{');
      for (let time = 0; time < 2; time += 1) {
        const journal = await present().reopen();
        expect(await refusal(readAll(journal))).toMatchObject({ code: 'journal.corrupt' });
        await journal.close();
      }
    });
  });
}

async function journalOfFive(present: Present): Promise<Journal> {
  const journal = await present().fresh();
  await journal.append(messages(1, 5), 0, STAMP);
  return journal;
}

function deepHandoff(): string {
  const levels = 100_000;
  const content = '['.repeat(levels) + ']'.repeat(levels);
  return `{"type":"handoff.written","issue":"A-1","phase":"plan","revision":1,"content":${content}}`;
}
