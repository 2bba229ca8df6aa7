/** Tests that reads return exactly what was appended, whatever text it contains. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { EventBody } from '../../../../src/core/model/event.ts';
import { assertAsyncProperty } from '../../../support/property.ts';
import { message, readAll, STAMP } from '../events.ts';
import { refusal } from '../refusal.ts';
import type { Present } from './journal-under-test.ts';

const HOSTILE_TEXTS: Readonly<Record<string, string>> = {
  empty: '',
  NUL: 'before\0after',
  'every control character': String.fromCharCode(...Array.from({ length: 32 }, (_, code) => code), 127),
  'right to left': 'user\u202Egnp.exe \u2066\u05D0\u2069',
  'a lone high surrogate': 'a\uD800b',
  'a lone low surrogate': 'a\uDC00b',
  'a surrogate pair': '\u{1F680}',
  'a byte order mark': '\uFEFFtext',
  'the last code points': '\uFFFE\uFFFF\u{10FFFF}',
  'line separators': 'a\u2028b\u2029c\r\nd',
  'combining marks that normalise differently': 'e\u0301 \u00E9',
  SQL: `'); DROP TABLE events; --`,
  JSON: '"}],{"type":"issue.pruned"}',
  'a megabyte': 'x'.repeat(1_000_000),
  'a megabyte of four-byte characters': '\u{1F680}'.repeat(250_000),
};

/**
 * JSON as `JSON.parse` returns it (without -0), and without the key `__proto__`, which the journal
 * rejects.
 */
const HANDOFF_CONTENT = fc
  .json({ noUnicodeString: false, maxDepth: 5 })
  .filter((text) => !text.includes('"__proto__"'))
  .map((text) => JSON.parse(JSON.stringify(JSON.parse(text))));

export function keeping(present: Present): void {
  describe('stored events', () => {
    for (const [what, text] of Object.entries(HOSTILE_TEXTS)) {
      test(`keep a text with ${what} unchanged`, async () => {
        const journal = await present().fresh();
        await journal.append([message(1, text)], 0, STAMP);
        const [event] = await readAll(await present().reopen());
        // Not toEqual, because it would print a megabyte on failure.
        expect(event?.type === 'message.queued' && event.body === text).toBe(true);
      });
    }

    test('keep any JSON in a handoff', async () => {
      const journal = await present().fresh();
      await assertAsyncProperty(
        fc.asyncProperty(fc.array(HANDOFF_CONTENT), async (contents) => {
          const version = await journal.version();
          await journal.append(contents.map(handoff), version, STAMP);
          const read = await readAll(journal, version);
          expect(read.map((event) => event.type === 'handoff.written' && event.content)).toEqual(contents);
        }),
      );
    });

    test('keep absent optional fields absent', async () => {
      const journal = await present().fresh();
      const waiting: EventBody = {
        type: 'attempt.waiting',
        issue: 'A-1',
        mode: 'plan',
        attempt: 1,
        wait: 1,
        for: 'quota',
      };
      await journal.append([waiting, { ...waiting, until: 5 }, { ...waiting, until: undefined }], 0, STAMP);
      const events = await readAll(journal);
      expect(events.map((event) => 'until' in event && event.until)).toEqual([false, 5, false]);
    });

    test('drop keys unknown to the schema', async () => {
      const journal = await present().fresh();
      const chatty = { ...message(1), seq: 99, token: 'secret' };
      await journal.append([chatty], 0, STAMP);
      const [event] = await readAll(journal);
      expect(event).toEqual({ ...message(1), ...STAMP, seq: 1 });
    });

    test('do not change when the appended object changes later', async () => {
      const journal = await present().fresh();
      const content = { plan: ['one'] };
      const appended = journal.append([handoff(content)], 0, STAMP);
      content.plan.push('two');
      await appended;
      expect(await readAll(journal)).toMatchObject([{ content: { plan: ['one'] } }]);
    });

    test('never have content that cannot be read back exactly: too deep, circular, or with a forbidden key', async () => {
      const journal = await present().fresh();
      const circular: unknown[] = [];
      circular.push(circular);
      for (const content of [nested(5_000), nested(200), circular, JSON.parse('{"a":{"__proto__":1}}')]) {
        expect(await refusal(journal.append([handoff(content)], 0, STAMP))).toMatchObject({
          code: 'input.invalid',
        });
      }
      expect(await journal.version()).toBe(0);
      await journal.append([handoff(nested(50))], 0, STAMP);
      expect(await readAll(journal)).toMatchObject([{ content: nested(50) }]);
    });
  });
}

function handoff(content: unknown): EventBody {
  return { type: 'handoff.written', issue: 'A-1', phase: 'plan', revision: 1, content } as EventBody;
}

function nested(levels: number): unknown {
  let value: unknown = 'core';
  for (let level = 0; level < levels; level += 1) value = [value];
  return value;
}
