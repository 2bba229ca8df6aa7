/**
 * Tests that a row is validated when it is read, unless this Legion wrote it under the current
 * schema.
 */
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, test } from 'vitest';
import { computeChecksum } from '../../../src/journal/sqlite/rows.ts';
import { openSqliteJournal } from '../../../src/journal/sqlite/sqlite-journal.ts';
import { message, messages, readAll, readSeqs, STAMP } from '../../ports/journal/events.ts';
import { refusal } from '../../ports/journal/refusal.ts';
import { useFolder } from './folder.ts';

const folder = useFolder();
const MALFORMED = '{"type":"message.queued","message":2}';

test('opens a journal of an older Legion, reads all of it and can append to it', async () => {
  const path = await olderJournal(3);
  const journal = await openSqliteJournal(path);
  expect(await journal.append([message(4)], 3, STAMP)).toBe(4);
  expect(await readAll(journal)).toEqual(
    messages(1, 4).map((body, index) => ({ ...body, ...STAMP, seq: index + 1 })),
  );
  await journal.close();
});

test('a journal of an older Legion is read without changes to the file', async () => {
  const path = await olderJournal(3);
  const journal = await openSqliteJournal(path, { readOnly: true });
  expect(await readSeqs(journal)).toEqual([1, 2, 3]);
  await journal.close();
  expect(columns(path)).not.toContain('checksum');
});

test.each([{ readOnly: true }, { readOnly: false }])(
  'a malformed event of an older Legion is reported (readOnly: $readOnly)',
  async (options) => {
    const path = await olderJournal(3);
    change(path, 'UPDATE events SET body = ? WHERE seq = 2', MALFORMED);
    const journal = await openSqliteJournal(path, options);
    expect(await refusal(readAll(journal))).toMatchObject({
      code: 'journal.corrupt',
      message: expect.stringMatching(/\bevent 2\b.*event\.to: is missing/),
    });
    await journal.close();
  },
);

test('if the checksum of an event is wrong, reads a well-formed event but reports a malformed one as corrupt', async () => {
  const path = await newJournal(3);
  change(path, 'UPDATE events SET checksum = checksum + 1 WHERE seq = 2');
  const journal = await openSqliteJournal(path);
  expect(await readSeqs(journal)).toEqual([1, 2, 3]);
  change(path, 'UPDATE events SET body = ? WHERE seq = 2', MALFORMED);
  expect(await refusal(readAll(journal))).toMatchObject({ code: 'journal.corrupt' });
  await journal.close();
});

test('an event with a matching checksum is not validated again', async () => {
  const path = await newJournal(3);
  // Validation would drop the extra key, so the key is kept only if validation is skipped.
  const chatty = JSON.stringify({ ...message(2), more: 'kept' });
  change(path, 'UPDATE events SET body = ? WHERE seq = 2', chatty);
  const journal = await openSqliteJournal(path);
  expect((await readAll(journal))[1]).not.toHaveProperty('more');
  change(path, `UPDATE events SET checksum = ${computeChecksum(chatty)} WHERE seq = 2`);
  expect((await readAll(journal))[1]).toHaveProperty('more', 'kept');
  await journal.close();
});

test('if two processes add the checksum column to an older journal at the same time, both can continue', async () => {
  const path = await olderJournal(1);
  const [one, two] = await Promise.all([openSqliteJournal(path), openSqliteJournal(path)]);
  await one.append([message(2)], 1, STAMP);
  await two.append([message(3)], 2, STAMP);
  expect(await readSeqs(one)).toEqual([1, 2, 3]);
  await one.close();
  await two.close();
});

async function newJournal(count: number): Promise<string> {
  const path = join(folder(), 'j.db');
  const journal = await openSqliteJournal(path);
  await journal.append(messages(1, count), 0, STAMP);
  await journal.close();
  return path;
}

/** Creates a journal as it was before rows had a checksum. */
async function olderJournal(count: number): Promise<string> {
  const path = await newJournal(count);
  change(path, 'ALTER TABLE events DROP COLUMN checksum');
  return path;
}

function columns(path: string): unknown[] {
  const db = new DatabaseSync(path, { readOnly: true });
  try {
    return db
      .prepare("SELECT name FROM pragma_table_info('events')")
      .all()
      .map(({ name }) => name);
  } finally {
    db.close();
  }
}

function change(path: string, sql: string, ...values: readonly string[]): void {
  const db = new DatabaseSync(path);
  try {
    db.prepare(sql).run(...values);
  } finally {
    db.close();
  }
}
