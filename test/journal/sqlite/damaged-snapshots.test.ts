import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, test } from 'vitest';
import { openSqliteJournal } from '../../../src/journal/sqlite/sqlite-journal.ts';
import { messages, STAMP } from '../../ports/journal/events.ts';
import { useFolder } from './folder.ts';

const folder = useFolder();

const OLDER = { version: 2, shape: 1, state: '{"workers":[1,2]}' };
const NEWEST = { version: 3, shape: 1, state: '{"workers":[1,2,3]}' };

test.each([
  ['with one changed character', "state = replace(state, '3', '4')"],
  ['with a different valid state', `state = '{"workers":[]}'`],
  ['with a truncated state', 'state = substr(state, 1, length(state) - 1)'],
  ['with a garbage state', "state = 'x'"],
  ['with an empty state', "state = ''"],
  ['of another shape', 'shape = 2'],
])('a snapshot %s is ignored in favour of the previous one', async (_, change) => {
  const path = join(folder(), 'j.db');
  const journal = await openSqliteJournal(path);
  await journal.append(messages(1, 3), 0, STAMP);
  await journal.saveSnapshot(OLDER);
  await journal.saveSnapshot(NEWEST);
  expect(await journal.latestSnapshot()).toEqual(NEWEST);
  const db = new DatabaseSync(path);
  db.exec(`UPDATE snapshots SET ${change} WHERE version = ${NEWEST.version}`);
  expect(await journal.latestSnapshot()).toEqual(OLDER);
  db.exec("UPDATE snapshots SET state = 'x'");
  db.close();
  expect(await journal.latestSnapshot()).toBeUndefined();
  await journal.close();
});

test('a snapshot moved to another version is ignored', async () => {
  const path = join(folder(), 'j.db');
  const journal = await openSqliteJournal(path);
  await journal.append(messages(1, 3), 0, STAMP);
  await journal.saveSnapshot(OLDER);
  const db = new DatabaseSync(path);
  db.exec('UPDATE snapshots SET version = 3');
  db.close();
  expect(await journal.latestSnapshot()).toBeUndefined();
  await journal.close();
});
