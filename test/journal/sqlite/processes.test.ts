/** Several real processes on one file. */
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, test } from 'vitest';
import { openSqliteJournal } from '../../../src/journal/sqlite/sqlite-journal.ts';
import { message, readAll, STAMP } from '../events.ts';
import { refusal } from '../refusal.ts';
import { useFolder } from './folder.ts';
import { integrity } from './integrity.ts';
import { runScript } from './script.ts';

const folder = useFolder();

test('processes that make and fill one journal at the same time write every event once, without a gap', async () => {
  const path = join(folder(), 'new', 'j.db');
  const each = 300;
  const firsts = [1_000, 2_000, 3_000];
  await Promise.all(firsts.map((first) => runScript('contender.ts', [path, String(first), String(each)])));

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

test('a holder that does not let go makes an append busy; later it works', async () => {
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

test('opening and closing a second handle does not loosen the locks of the first', async () => {
  const path = join(folder(), 'j.db');
  const journal = await openSqliteJournal(path);
  await journal.append([message(1)], 0, STAMP);
  for (const readOnly of [true, false]) await (await openSqliteJournal(path, { readOnly })).close();
  // Another process that believes to be alone would fold the log into the file at its end, and delete it under our hands.
  await runScript('contender.ts', [path, '2', '1']);
  expect(await journal.append([message(3)], 2, STAMP)).toBe(3);
  await runScript('contender.ts', [path, '4', '1']);
  expect((await readAll(journal)).map((event) => 'message' in event && event.message)).toEqual([1, 2, 3, 4]);
  await journal.close();
  expect(integrity(path)).toBe('ok');
});
