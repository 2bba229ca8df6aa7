/**
 * Tests recovery from the files that a process leaves if it is killed at the worst moment. The test
 * creates these files itself, because a random kill rarely hits that moment.
 */
import { copyFileSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, test } from 'vitest';
import { openSqliteJournal } from '../../../src/journal/sqlite/sqlite-journal.ts';
import { message, messages, readSeqs, STAMP } from '../../ports/journal/events.ts';
import { useFolder } from './folder.ts';
import { integrity } from './integrity.ts';

const PAGE_BYTES = 4_096;
const LOG_HEADER_BYTES = 32;
const FRAME_HEADER_BYTES = 24;

/** See https://sqlite.org/fileformat2.html#the_rollback_journal. */
const UNDO_MARK = Buffer.from('d9d505f920a163d7', 'hex');

const folder = useFolder();

test('reads the whole log if only its first page was copied to the database file', async () => {
  const alive = await openSqliteJournal(join(folder(), 'alive.db'));
  await alive.append(messages(1, 1_000), 0, STAMP);
  const path = copyOf('alive.db', ['', '-wal']);
  await alive.close();
  // The first page contains the number of pages, so the database file now claims more pages than it
  // has.
  const file = readFileSync(path);
  newestFirstPage(readFileSync(`${path}-wal`)).copy(file);
  writeFileSync(path, file);

  const journal = await openSqliteJournal(path);
  expect(await journal.append([message(1_001)], 1_000, STAMP)).toBe(1_001);
  expect(await readSeqs(journal, 998)).toEqual([999, 1_000, 1_001]);
  await journal.close();
  expect(integrity(path)).toBe('ok');
});

test('keeps everything before the last append if that append was cut off in the log', async () => {
  const alive = await openSqliteJournal(join(folder(), 'alive.db'));
  await alive.append(messages(1, 5), 0, STAMP);
  await alive.append(messages(6, 300), 5, STAMP);
  const path = copyOf('alive.db', ['', '-wal']);
  await alive.close();
  writeFileSync(`${path}-wal`, readFileSync(`${path}-wal`).subarray(0, -1));

  const journal = await openSqliteJournal(path);
  expect(await readSeqs(journal)).toEqual([1, 2, 3, 4, 5]);
  expect(await journal.append([message(6)], 5, STAMP)).toBe(6);
  await journal.close();
  expect(integrity(path)).toBe('ok');
});

test.each([
  ['zeroes', Buffer.alloc(2 * PAGE_BYTES)],
  ['noise', Buffer.alloc(2 * PAGE_BYTES, 0xa5)],
  ['nothing', Buffer.alloc(0)],
])('repeats an interrupted creation of tables if the file already contains %s', async (_, written) => {
  const alive = new DatabaseSync(join(folder(), 'alive.db'));
  alive.exec('BEGIN IMMEDIATE; CREATE TABLE events (seq)');
  const path = copyOf('alive.db', ['', '-journal']);
  alive.close();
  // SQLite marks the rollback journal as valid just before it writes to the file.
  writeFileSync(
    `${path}-journal`,
    Buffer.concat([UNDO_MARK, readFileSync(`${path}-journal`).subarray(UNDO_MARK.length)]),
  );
  writeFileSync(path, written);

  const journal = await openSqliteJournal(path);
  expect(await journal.append([message(1)], 0, STAMP)).toBe(1);
  await journal.close();
  expect(integrity(path)).toBe('ok');
});

function copyOf(name: string, ends: readonly string[]): string {
  const path = join(folder(), 'j.db');
  for (const end of ends) copyFileSync(join(folder(), name + end), path + end);
  return path;
}

/**
 * Returns the log's newest copy of page 1, as laid out in
 * https://sqlite.org/fileformat2.html#walformat.
 */
function newestFirstPage(log: Buffer): Buffer {
  let found: Buffer | undefined;
  for (let at = LOG_HEADER_BYTES; at < log.length; at += FRAME_HEADER_BYTES + PAGE_BYTES) {
    const page = at + FRAME_HEADER_BYTES;
    if (log.readUInt32BE(at) === 1) found = log.subarray(page, page + PAGE_BYTES);
  }
  if (found === undefined) throw new Error('the log does not contain the first page');
  return found;
}
