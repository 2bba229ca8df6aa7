/** Tests several real processes that use one journal file. */
import { existsSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { openSqliteJournal } from '../../../src/journal/sqlite/sqlite-journal.ts';
import { message, readAll, STAMP } from '../../ports/journal/events.ts';
import { refusal } from '../../ports/journal/refusal.ts';
import { useFolder } from './folder.ts';
import { integrity } from './integrity.ts';
import { runScript } from './script.ts';

const CONTENDER = new URL('contender.ts', import.meta.url);
const HOLDER = new URL('holder.ts', import.meta.url);

const folder = useFolder();

test('processes that concurrently create and fill one journal write every event exactly once, without gaps', async () => {
  const path = join(folder(), 'new', 'j.db');
  const each = 300;
  const firsts = [1_000, 2_000, 3_000];
  await Promise.all(firsts.map((first) => runScript(CONTENDER, [path, String(first), String(each)])));

  const journal = await openSqliteJournal(path, { readOnly: true });
  const serials = (await readAll(journal)).map((event) => ('message' in event ? event.message : 0));
  await journal.close();
  expect(serials).toHaveLength(firsts.length * each);
  for (const first of firsts) {
    const own = serials.filter((serial) => serial >= first && serial < first + 1_000);
    expect(own).toEqual(Array.from({ length: each }, (_, index) => first + index));
  }
  expect(integrity(path)).toBe('ok');
});

test('a process waits for tables that another process is creating, and uses them', async () => {
  const model = join(folder(), 'model.db');
  await (await openSqliteJournal(model)).close();
  const path = join(folder(), 'j.db');
  const maker = new DatabaseSync(path);
  maker.exec('BEGIN IMMEDIATE');
  copyForm(model, maker);
  const contender = runScript(CONTENDER, [path, '1', '1']);
  // Long enough for a process to start and find the file empty, but shorter than that process's
  // lock timeout.
  await sleep(500);
  maker.exec('COMMIT');
  maker.close();
  await contender;
  const journal = await openSqliteJournal(path);
  expect(await journal.version()).toBe(1);
  await journal.close();
});

test('an append waits for a process that locks the file briefly', async () => {
  const path = join(folder(), 'j.db');
  const journal = await openSqliteJournal(path);
  const marker = join(folder(), 'held');
  const holder = runScript(HOLDER, [path, marker, '150']);
  while (!existsSync(marker)) await sleep(5);
  expect(await journal.append([message(1)], 0, STAMP)).toBe(1);
  await holder;
  await journal.close();
});

test('an append fails as busy while another process holds the lock, and succeeds once the lock is released', async () => {
  const path = join(folder(), 'j.db');
  const journal = await openSqliteJournal(path);
  const holder = new DatabaseSync(path);
  holder.exec('BEGIN IMMEDIATE');
  expect(await refusal(journal.append([message(1)], 0, STAMP))).toMatchObject({ code: 'journal.busy' });
  expect(await journal.version()).toBe(0);
  holder.exec('ROLLBACK');
  holder.close();
  expect(await journal.append([message(1)], 0, STAMP)).toBe(1);
  await journal.close();
});

test('opening and closing a second handle does not release the locks of the first', async () => {
  const path = join(folder(), 'j.db');
  const journal = await openSqliteJournal(path);
  await journal.append([message(1)], 0, STAMP);
  const before = locksOn(path);
  for (const readOnly of [true, false]) await (await openSqliteJournal(path, { readOnly })).close();
  expect(locksOn(path)).toEqual(before);
  await runScript(CONTENDER, [path, '2', '1']);
  expect(await journal.append([message(3)], 2, STAMP)).toBe(3);
  await journal.close();
});

/** Returns the system's locks on a file, or an empty list if the system does not report locks. */
function locksOn(path: string): string[] {
  if (!existsSync('/proc/locks')) return [];
  const { ino } = statSync(path);
  const lines = readFileSync('/proc/locks', 'utf8').split('\n');
  return lines.filter((line) => line.includes(`:${ino} `)).map((line) => line.replace(/^\d+: /, ''));
}

/** Copies a journal's tables, format and application id within the open transaction. */
function copyForm(from: string, to: DatabaseSync): void {
  const db = new DatabaseSync(from, { readOnly: true });
  for (const { sql } of db.prepare('SELECT sql FROM sqlite_schema').all()) to.exec(String(sql));
  for (const name of ['user_version', 'application_id']) {
    const [value] = Object.values(db.prepare(`PRAGMA ${name}`).get() ?? {});
    to.exec(`PRAGMA ${name} = ${value}`);
  }
  db.close();
}
