/** A disk that is full: nothing acknowledged is lost, nothing half is written, and work goes on once there is room. */
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { FaultCode } from '../../../src/core/model/fault.ts';
import { JOURNAL_FORM } from '../../../src/journal/sqlite/schema.ts';
import { openSqliteJournal, sqliteJournal } from '../../../src/journal/sqlite/sqlite-journal.ts';
import { openDatabase } from '../../../src/sqlite/open.ts';
import { message, messages, readSeqs, STAMP } from '../../ports/journal/events.ts';
import { refusal } from '../../ports/workspace/refusal.ts';
import { fileSizeLimit, mayLimit, mayMount, smallDisk } from './confinement.ts';
import { useFolder } from './folder.ts';
import type { FullDiskReport } from './full-disk.ts';
import { integrity } from './integrity.ts';
import { type Confinement, runScript } from './script.ts';

const FULL_DISK = new URL('full-disk.ts', import.meta.url);

const folder = useFolder();

/** Room for several checkpoints of the log (one every 4 MB), so that the disk may also fill up in the middle of one. */
const DISK_BYTES = 8_000_000;
const FILE_BYTES = 6_000_000;

interface Disk {
  readonly confine: (folder: string) => Confinement;
  readonly makeRoomBy: 'ballast' | 'limit';
  readonly code: FaultCode;
}

/** SQLite calls only ENOSPC "full"; any other refused write is an input/output error. Both are retryable. */
const disks: Readonly<Record<string, Disk>> = {
  ...(mayMount() && {
    'a real disk without space': {
      confine: (place: string) => smallDisk(place, DISK_BYTES),
      makeRoomBy: 'ballast',
      code: 'journal.full',
    },
  }),
  ...(mayLimit() && {
    'a limit on the size of files': {
      confine: () => fileSizeLimit(FILE_BYTES),
      makeRoomBy: 'limit',
      code: 'journal.unavailable',
    },
  }),
};

describe.each(Object.entries(disks))('%s', (_, { confine, makeRoomBy, code }) => {
  test('refuses appends, keeps what was acknowledged, and goes on by itself', async () => {
    const printed = await runScript(FULL_DISK, [folder(), makeRoomBy], confine(folder()));
    const report = JSON.parse(printed) as FullDiskReport;
    const { acknowledged } = report;
    expect(acknowledged).toBeGreaterThan(100);
    expect(report).toEqual({
      refusals: [code, code],
      acknowledged,
      versionWhenFull: acknowledged,
      intactWhenFull: acknowledged,
      integrityWhenFull: 'ok',
      afterRoomWasMade: acknowledged + 3,
      intactInTheEnd: acknowledged + 3,
      integrityInTheEnd: 'ok',
    } satisfies FullDiskReport);
  });
});

describe('a limit on the pages of the database', () => {
  test('refuses an append whole, however much of it would fit, and takes it once there is room', async () => {
    const path = join(folder(), 'j.db');
    const connection = { path, db: openDatabase(path, JOURNAL_FORM), assertSteady: () => {} };
    const journal = sqliteJournal(connection);
    await journal.append(messages(1, 2), 0, STAMP);
    connection.db.exec('PRAGMA max_page_count = 50');
    const large = [message(3), message(4, 'x'.repeat(400_000)), message(5)];
    for (let time = 0; time < 2; time += 1) {
      expect(await refusal(journal.append(large, 2, STAMP))).toMatchObject({ code: 'journal.full' });
      expect(await readSeqs(journal)).toEqual([1, 2]);
    }
    const snapshot = { version: 2, shape: 1, state: 'x'.repeat(400_000) };
    expect(await refusal(journal.saveSnapshot(snapshot))).toMatchObject({ code: 'journal.full' });
    expect(integrity(path)).toBe('ok');
    expect(await journal.append([message(3)], 2, STAMP)).toBe(3);

    connection.db.exec('PRAGMA max_page_count = 5000');
    expect(await journal.append(large, 3, STAMP)).toBe(6);
    await journal.saveSnapshot(snapshot);
    await journal.close();

    const reopened = await openSqliteJournal(path);
    expect(await readSeqs(reopened)).toEqual([1, 2, 3, 4, 5, 6]);
    await reopened.close();
    expect(integrity(path)).toBe('ok');
  });
});
