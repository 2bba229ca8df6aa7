/** Which rows are checked when they are read: those that Legion did not write, or wrote when events had another form. */
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, test } from 'vitest';
import { checksumOf } from '../../../src/journal/sqlite/checksum.ts';
import { openSqliteJournal } from '../../../src/journal/sqlite/sqlite-journal.ts';
import { message, messages, readAll, readSeqs, STAMP } from '../../ports/journal/events.ts';
import { refusal } from '../../ports/workspace/refusal.ts';
import { useFolder } from './folder.ts';

const folder = useFolder();
const MALFORMED = '{"type":"message.queued","message":2}';

test('a journal of an older Legion opens, is read whole and is continued', async () => {
  const path = await olderJournal(3);
  const journal = await openSqliteJournal(path);
  expect(await journal.append([message(4)], 3, STAMP)).toBe(4);
  expect(await readAll(journal)).toEqual(
    messages(1, 4).map((body, index) => ({ ...body, ...STAMP, seq: index + 1 })),
  );
  await journal.close();
});

test('a journal of an older Legion is read without being changed', async () => {
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

test('an event whose checksum does not fit is read if it is well-formed, and reported if not', async () => {
  const path = await newJournal(3);
  change(path, 'UPDATE events SET checksum = checksum + 1 WHERE seq = 2');
  const journal = await openSqliteJournal(path);
  expect(await readSeqs(journal)).toEqual([1, 2, 3]);
  change(path, 'UPDATE events SET body = ? WHERE seq = 2', MALFORMED);
  expect(await refusal(readAll(journal))).toMatchObject({ code: 'journal.corrupt' });
  await journal.close();
});

test('an event that is what was written is not checked a second time', async () => {
  const path = await newJournal(3);
  // The schema would drop the key; it stays where the schema is not asked.
  const chatty = JSON.stringify({ ...message(2), more: 'kept' });
  change(path, 'UPDATE events SET body = ? WHERE seq = 2', chatty);
  const journal = await openSqliteJournal(path);
  expect((await readAll(journal))[1]).not.toHaveProperty('more');
  change(path, `UPDATE events SET checksum = ${checksumOf(chatty)} WHERE seq = 2`);
  expect((await readAll(journal))[1]).toHaveProperty('more', 'kept');
  await journal.close();
});

test('two processes that add the column to an older journal at once both continue it', async () => {
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

/** As it was before rows had a checksum. */
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
