/** Tests which files are accepted as a journal, and what a new one looks like. */
import {
  copyFileSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, expect, test } from 'vitest';
import { JOURNAL_FORMAT } from '../../../src/journal/sqlite/rows.ts';
import { openSqliteJournal } from '../../../src/journal/sqlite/sqlite-journal.ts';
import { openDatabase } from '../../../src/lib/sqlite.ts';
import { message, messages, readAll, readSeqs, STAMP } from '../../ports/journal/events.ts';
import { refusal } from '../../ports/journal/refusal.ts';
import { useFolder } from './folder.ts';

const folder = useFolder();
const modes = [{ readOnly: false }, { readOnly: true }];

describe('a new journal', () => {
  test('is readable by its owner only, as are its folder and the files beside it', async () => {
    const path = join(folder(), 'state', 'legions', 'j.db');
    const journal = await openSqliteJournal(path);
    await journal.append([message(1)], 0, STAMP);
    for (const name of ['state', 'state/legions']) expect(modeOf(join(folder(), name))).toBe(0o700);
    for (const end of ['', '-wal', '-shm']) expect(modeOf(path + end), end).toBe(0o600);
    await journal.close();
  });

  test('syncs every commit to disk through a write-ahead log', () => {
    const db = openDatabase(join(folder(), 'j.db'), JOURNAL_FORMAT);
    const setting = (name: string) => Object.values(db.prepare(`PRAGMA ${name}`).get() ?? {})[0];
    const FULL = 2;
    expect([setting('journal_mode'), setting('synchronous')]).toEqual(['wal', FULL]);
    db.close();
  });

  test('stores no keys unknown to the event schema', async () => {
    const path = join(folder(), 'j.db');
    const journal = await openSqliteJournal(path);
    const chatty = { ...message(1, 'wanted'), token: 'unwanted' };
    await journal.append([chatty], 0, STAMP);
    await journal.close();
    const bytes = readFileSync(path, 'latin1');
    expect([bytes.includes('wanted'), bytes.includes('unwanted')]).toEqual([true, false]);
  });

  test('can replace an empty file, and can have any file name', async () => {
    const odd = ['empty.db', 'file:a?mode=memory', 'per%20cent#?.db', 'grüße 🚀.db', "it's.db", ':memory:'];
    writeFileSync(join(folder(), 'empty.db'), '');
    for (const name of odd) {
      const path = join(folder(), name);
      const journal = await openSqliteJournal(path);
      await journal.append([message(1)], 0, STAMP);
      await journal.close();
      const again = await openSqliteJournal(path, { readOnly: true });
      expect(await again.version(), name).toBe(1);
      await again.close();
    }
    expect(readdirSync(folder()).sort()).toEqual(odd.sort());
  });

  test('keeps only the newest two snapshots', async () => {
    const path = join(folder(), 'j.db');
    const journal = await openSqliteJournal(path);
    await journal.append(messages(1, 5), 0, STAMP);
    for (const version of [1, 5, 3, 4, 2]) await journal.saveSnapshot({ version, shape: 1, state: 's' });
    await journal.close();
    const db = new DatabaseSync(path);
    const kept = db.prepare('SELECT version FROM snapshots ORDER BY version').all();
    db.close();
    expect(kept.map((row) => Object.values(row)[0])).toEqual([4, 5]);
  });
});

describe.each(modes)('a file is rejected and left unchanged (readOnly: $readOnly) if it', (options) => {
  /** Opens the file that `make` created, and checks that no byte of the folder has changed. */
  async function refused(make: (path: string) => void): Promise<{ code: string; message: string }> {
    const path = join(folder(), 'j.db');
    make(path);
    const before = snapshotOfFolder();
    const fault = await refusal(openSqliteJournal(path, options));
    expect(snapshotOfFolder()).toEqual(before);
    expect(fault.message).toContain(path);
    return fault;
  }

  test('is a text file', async () => {
    const fault = await refused((path) => writeFileSync(path, 'Dear diary,\n'.repeat(1_000)));
    expect(fault).toMatchObject({ code: 'journal.foreign' });
  });

  test('is a text file shorter than any database', async () => {
    expect(await refused((path) => writeFileSync(path, '{}'))).toMatchObject({ code: 'journal.foreign' });
  });

  test('is a folder', async () => {
    expect(await refused((path) => mkdirSync(path))).toMatchObject({ code: 'journal.foreign' });
  });

  test("is another program's database, with or without a log", async () => {
    for (const [number, mode] of ['DELETE', 'WAL'].entries()) {
      const fault = await refused((path) => {
        foreignDatabase(
          path,
          `PRAGMA journal_mode = ${mode}; CREATE TABLE t${number} (a); INSERT INTO t${number} VALUES (1)`,
        );
      });
      expect(fault).toMatchObject({ code: 'journal.foreign' });
    }
  });

  test('has the application id of another program', async () => {
    const fault = await refused((path) => {
      foreignDatabase(
        path,
        'PRAGMA application_id = 252006674; PRAGMA user_version = 1; CREATE TABLE events (seq)',
      );
    });
    expect(fault).toMatchObject({ code: 'journal.foreign', message: expect.stringContaining('252006674') });
  });

  test('is a journal in the format of a newer Legion', async () => {
    await makeJournal(3);
    const fault = await refused((path) => foreignDatabase(path, 'PRAGMA user_version = 2'));
    expect(fault).toMatchObject({ code: 'journal.newer', message: expect.stringContaining('format 2') });
  });

  test('is a truncated journal', async () => {
    await makeJournal(300);
    const fault = await refused((path) => truncateSync(path, 6_000));
    expect(fault).toMatchObject({ code: 'journal.corrupt' });
  });

  test('is a journal without its tables', async () => {
    await makeJournal(1);
    const fault = await refused((path) => foreignDatabase(path, 'DROP TABLE snapshots'));
    expect(fault).toMatchObject({ code: 'journal.corrupt' });
  });
});

test("another program's database and its log are not changed", async () => {
  const path = join(folder(), 'j.db');
  const alive = new DatabaseSync(join(folder(), 'alive.db'));
  alive.exec('PRAGMA journal_mode = WAL; CREATE TABLE t (a); INSERT INTO t VALUES (1)');
  for (const end of ['', '-wal']) copyFileSync(join(folder(), `alive.db${end}`), path + end);
  alive.close();
  const before = snapshotOfFolder();
  expect(await refusal(openSqliteJournal(path))).toMatchObject({ code: 'journal.foreign' });
  expect(snapshotOfFolder()).toEqual(before);
});

describe('a damaged journal', () => {
  test('with overwritten pages is reported as corrupt by reads and appends', async () => {
    const path = await makeJournal(2_000);
    const bytes = readFileSync(path);
    bytes.fill(0xa5, 4_096 * 2);
    writeFileSync(path, bytes);
    const journal = await openSqliteJournal(path);
    expect(await refusal(readAll(journal))).toMatchObject({ code: 'journal.corrupt' });
    expect(await refusal(journal.append([message(1)], 2_000, STAMP))).toMatchObject({
      code: 'journal.corrupt',
    });
    await journal.close();
  });

  test('with a number out of range is reported as corrupt', async () => {
    const path = await makeJournal(3);
    foreignDatabase(path, 'UPDATE events SET epoch = 9223372036854775807 WHERE seq = 2');
    const journal = await openSqliteJournal(path);
    expect(await refusal(readAll(journal))).toMatchObject({ code: 'journal.corrupt' });
    expect(await readSeqs(journal, 0, 1)).toEqual([1]);
    await journal.close();
  });
});

async function makeJournal(events: number): Promise<string> {
  const path = join(folder(), 'j.db');
  const journal = await openSqliteJournal(path);
  await journal.append(messages(1, events), 0, STAMP);
  await journal.close();
  return path;
}

function foreignDatabase(path: string, sql: string): void {
  const db = new DatabaseSync(path);
  db.exec(sql);
  db.close();
}

function modeOf(path: string): number {
  return statSync(path).mode & 0o777;
}

function snapshotOfFolder(): unknown {
  return readdirSync(folder(), { withFileTypes: true }).map((entry) => [
    entry.name,
    entry.isFile() && readFileSync(join(folder(), entry.name), 'latin1'),
  ]);
}
