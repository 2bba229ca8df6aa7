/**
 * Tests that a full disk causes no loss of acknowledged events and no partial writes, and that
 * appends succeed again once there is space.
 */
import { join } from 'node:path';
import { describe, expect, type TestContext, test } from 'vitest';
import type { FaultCode } from '../../../src/core/model/fault.ts';
import { JOURNAL_FORMAT } from '../../../src/journal/sqlite/rows.ts';
import { createSqliteJournal, openSqliteJournal } from '../../../src/journal/sqlite/sqlite-journal.ts';
import { openDatabase } from '../../../src/lib/sqlite.ts';
import { message, messages, readSeqs, STAMP } from '../../ports/journal/events.ts';
import { refusal } from '../../ports/journal/refusal.ts';
import { skipUnlessPermitted, skipWithoutProgram } from '../../support/required-program.ts';
import { fileSizeLimit, LIMITER, mayMount, smallDisk } from './confinement.ts';
import { useFolder } from './folder.ts';
import type { FullDiskReport } from './full-disk.ts';
import { integrity } from './integrity.ts';
import { type Confinement, runScript } from './script.ts';

const FULL_DISK = new URL('full-disk.ts', import.meta.url);

const folder = useFolder();

/**
 * Space for several checkpoints of the log (one every 4 MB), so that the disk may also fill up
 * during a checkpoint.
 */
const DISK_BYTES = 8_000_000;
const FILE_BYTES = 6_000_000;

interface Disk {
  readonly skipIfUnavailable: (context: TestContext) => void;
  readonly confine: (folder: string) => Confinement;
  readonly makeRoomBy: 'ballast' | 'limit';
  readonly code: FaultCode;
}

/**
 * SQLite reports only ENOSPC as "full". Other rejected writes are input/output errors. Both are
 * retryable.
 */
const disks: Readonly<Record<string, Disk>> = {
  'a journal on a full disk': {
    skipIfUnavailable: (context) => skipUnlessPermitted(context, mayMount(), 'mounts'),
    confine: (place: string) => smallDisk(place, DISK_BYTES),
    makeRoomBy: 'ballast',
    code: 'journal.full',
  },
  'a journal at the file size limit': {
    skipIfUnavailable: (context) => skipWithoutProgram(context, LIMITER),
    confine: () => fileSizeLimit(FILE_BYTES),
    makeRoomBy: 'limit',
    code: 'journal.unavailable',
  },
};

describe.each(Object.entries(disks))('%s', (_, { skipIfUnavailable, confine, makeRoomBy, code }) => {
  test('rejects appends, keeps acknowledged events, and accepts appends again once there is space', async (context) => {
    skipIfUnavailable(context);
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

describe('a journal with a limit on its database pages', () => {
  test('rejects an append as a whole, even if part of it would fit, and accepts it once there is space', async () => {
    const path = join(folder(), 'j.db');
    const connection = { path, db: openDatabase(path, JOURNAL_FORMAT), assertSteady: () => {} };
    const journal = createSqliteJournal(connection);
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
