/** A journal opened for reading only: `legion replay` and whoever else looks on. */
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { openSqliteJournal } from '../../../src/journal/sqlite/sqlite-journal.ts';
import { message, messages, readSeqs, STAMP } from '../../ports/journal/events.ts';
import { refusal } from '../../ports/workspace/refusal.ts';
import { useFolder } from './folder.ts';
import { closedJournal, contents, killedJournal } from './left-behind.ts';

const folder = useFolder();

describe('opened for reading only', () => {
  test('gives events and snapshots of a journal that was closed, and creates nothing beside it', async () => {
    const path = await closedJournal(folder(), 3);
    const before = contents(folder());
    const journal = await openSqliteJournal(path, { readOnly: true });
    expect(await journal.version()).toBe(3);
    expect(await readSeqs(journal)).toEqual([1, 2, 3]);
    expect(await journal.latestSnapshot()).toEqual({ version: 2, shape: 1, state: 'two' });
    expect(Object.keys(contents(folder()))).toEqual(Object.keys(before));
    await journal.close();
    expect(contents(folder())).toEqual(before);
  });

  test('gives what a running daemon has appended so far, and what it appends later', async () => {
    const daemon = await openSqliteJournal(join(folder(), 'j.db'));
    await daemon.append(messages(1, 3), 0, STAMP);
    const journal = await openSqliteJournal(join(folder(), 'j.db'), { readOnly: true });
    expect(await readSeqs(journal)).toEqual([1, 2, 3]);
    await daemon.append([message(4)], 3, STAMP);
    expect(await readSeqs(journal)).toEqual([1, 2, 3, 4]);
    await journal.close();
    await daemon.append([message(5)], 4, STAMP);
    await daemon.close();
  });

  test('gives what a killed daemon left in its log, and leaves file and log as they are', async () => {
    const path = await killedJournal(folder());
    const before = contents(folder());
    const journal = await openSqliteJournal(path, { readOnly: true });
    expect(await readSeqs(journal)).toEqual([1, 2, 3]);
    await journal.close();
    const after = contents(folder());
    expect(Object.keys(after)).toEqual(Object.keys(before));
    expect(after['j.db']).toBe(before['j.db']);
    expect(after['j.db-wal']).toBe(before['j.db-wal']);
  });

  test('a log copied without its -shm is refused with the remedy, and the remedy works', async () => {
    const path = await killedJournal(folder());
    rmSync(`${path}-shm`);
    const refused = await refusal(openSqliteJournal(path, { readOnly: true }));
    expect(refused).toMatchObject({
      code: 'journal.unavailable',
      message: expect.stringContaining(`an empty file ${path}-shm is enough`),
    });
    writeFileSync(`${path}-shm`, '');
    const journal = await openSqliteJournal(path, { readOnly: true });
    expect(await readSeqs(journal)).toEqual([1, 2, 3]);
    await journal.close();
  });

  test('refuses to write', async () => {
    const path = await closedJournal(folder(), 1);
    const before = contents(folder());
    const journal = await openSqliteJournal(path, { readOnly: true });
    for (const call of [
      journal.append([message(2)], 1, STAMP),
      journal.saveSnapshot({ version: 1, shape: 1, state: 's' }),
    ]) {
      expect(await refusal(call)).toMatchObject({ code: 'journal.read_only' });
    }
    await journal.close();
    expect(contents(folder())).toEqual(before);
  });

  test('a missing or never written journal is missing, and is not made', async () => {
    writeFileSync(join(folder(), 'empty.db'), '');
    for (const name of ['none.db', 'no/such/folder/j.db', 'empty.db']) {
      const call = openSqliteJournal(join(folder(), name), { readOnly: true });
      expect(await refusal(call), name).toMatchObject({ code: 'journal.missing' });
    }
    expect(contents(folder())).toEqual({ 'empty.db': '' });
  });

  test('says so when a daemon begins to write to what is being read without a lock', async () => {
    const path = await closedJournal(folder(), 3);
    const journal = await openSqliteJournal(path, { readOnly: true });
    const daemon = await openSqliteJournal(path);
    await daemon.append([message(4)], 3, STAMP);
    expect(await refusal(journal.version())).toMatchObject({ code: 'journal.busy' });
    await daemon.close();
    expect(await refusal(readSeqs(journal))).toMatchObject({ code: 'journal.busy' });
    await journal.close();
    const again = await openSqliteJournal(path, { readOnly: true });
    expect(await again.version()).toBe(4);
    await again.close();
  });
});

test('a file that changes under a reader is reported as changing, not as corrupt', async () => {
  const path = await closedJournal(folder(), 2_000);
  const journal = await openSqliteJournal(path, { readOnly: true });
  writeFileSync(path, readFileSync(path).fill(0xa5, 4_096 * 2));
  expect(await refusal(readSeqs(journal))).toMatchObject({ code: 'journal.busy' });
  await journal.close();
});
