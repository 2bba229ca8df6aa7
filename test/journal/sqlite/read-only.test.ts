/** Tests a journal opened read-only, as `legion replay` does. */
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { openSqliteJournal } from '../../../src/journal/sqlite/sqlite-journal.ts';
import { message, messages, readSeqs, STAMP } from '../../ports/journal/events.ts';
import { refusal } from '../../ports/journal/refusal.ts';
import { useFolder } from './folder.ts';
import { closedJournal, contents, killedJournal } from './left-behind.ts';

const folder = useFolder();

describe('a read-only journal', () => {
  test('returns events and snapshots of a closed journal and creates no files', async () => {
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

  test("returns a running daemon's events, including later ones", async () => {
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

  test("returns a killed daemon's events from its log and leaves the files unchanged", async () => {
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

  test('rejects a write-ahead log without its -shm file, and opens the journal after the suggested fix', async () => {
    const path = await killedJournal(folder());
    rmSync(`${path}-shm`);
    const refused = await refusal(openSqliteJournal(path, { readOnly: true }));
    expect(refused).toMatchObject({
      code: 'journal.unavailable',
      message: expect.stringContaining(`Create an empty file ${path}-shm`),
    });
    writeFileSync(`${path}-shm`, '');
    const journal = await openSqliteJournal(path, { readOnly: true });
    expect(await readSeqs(journal)).toEqual([1, 2, 3]);
    await journal.close();
  });

  test('rejects writes', async () => {
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

  test('reports a missing or empty journal and does not create it', async () => {
    writeFileSync(join(folder(), 'empty.db'), '');
    for (const name of ['none.db', 'no/such/folder/j.db', 'empty.db']) {
      const call = openSqliteJournal(join(folder(), name), { readOnly: true });
      expect(await refusal(call), name).toMatchObject({ code: 'journal.missing' });
    }
    expect(contents(folder())).toEqual({ 'empty.db': '' });
  });

  test('reports that the journal is busy if a daemon starts writing during an unlocked read', async () => {
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

test('reports a file that changes during a read as busy, not as corrupt', async () => {
  const path = await closedJournal(folder(), 2_000);
  const journal = await openSqliteJournal(path, { readOnly: true });
  writeFileSync(path, readFileSync(path).fill(0xa5, 4_096 * 2));
  expect(await refusal(readSeqs(journal))).toMatchObject({ code: 'journal.busy' });
  await journal.close();
});
