/** A journal opened for reading only, or that may not be written. */
import {
  chmodSync,
  copyFileSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { openSqliteJournal } from '../../../src/journal/sqlite/sqlite-journal.ts';
import { message, messages, readSeqs, STAMP } from '../events.ts';
import { refusal } from '../refusal.ts';
import { mayMount, readOnlyDisk } from './confinement.ts';
import { useFolder } from './folder.ts';
import { type Confinement, runScript } from './script.ts';

const folder = useFolder();

describe('opened for reading only', () => {
  test('gives events and snapshots of a journal that was closed, and creates nothing beside it', async () => {
    const path = await closedJournal(3);
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
    const path = await killedJournal();
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
    const path = await killedJournal();
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
    const path = await closedJournal(1);
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
    const path = await closedJournal(3);
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

/** What keeps a process from writing to a folder. */
interface Barrier {
  /** Permissions do not hold root back, so root has to visit as nobody. */
  readonly visitor: 'nobody' | 'anybody';
  readonly raise: (place: string) => Confinement;
}

const barriers: Readonly<Record<string, Barrier>> = {
  'without permission to write': { visitor: 'nobody', raise: forbid },
  ...(mayMount() && { 'on a disk mounted read-only': { visitor: 'anybody', raise: readOnlyDisk } }),
};

describe.each(Object.entries(barriers))('%s', (_, { visitor, raise }) => {
  test('a writer is refused at once and changes nothing', async () => {
    const place = await openPlace(() => closedJournal(2));
    const before = contents(place);
    const barrier = raise(place);
    for (const name of ['j.db', 'new.db', 'sub/new.db']) {
      const printed = await runScript('visit.ts', [join(place, name), 'write', visitor], barrier);
      expect(printed, name).toBe('journal.read_only');
    }
    expect(contents(place)).toEqual(before);
    permit(place);
    expect(await runScript('visit.ts', [join(place, 'j.db'), 'write', visitor])).toBe('3');
  });

  test.each([
    ['was closed', () => closedJournal(2), '2'],
    ['a killed daemon left, with events in its log only', killedJournal, '3'],
  ])('a reader reads a journal that %s', async (_state, make, events) => {
    const place = await openPlace(make);
    const barrier = raise(place);
    expect(await runScript('visit.ts', [join(place, 'j.db'), 'read', visitor], barrier)).toBe(events);
    permit(place);
  });
});

async function closedJournal(events: number): Promise<string> {
  const path = join(folder(), 'j.db');
  const journal = await openSqliteJournal(path);
  await journal.append(messages(1, events), 0, STAMP);
  await journal.saveSnapshot({ version: Math.min(events, 2), shape: 1, state: 'two' });
  await journal.close();
  return path;
}

/** What a kill leaves behind: the files as they are while the journal is open, all three events in the log only. */
async function killedJournal(): Promise<string> {
  const alive = join(folder(), 'alive.db');
  const path = join(folder(), 'j.db');
  const journal = await openSqliteJournal(alive);
  await journal.append(messages(1, 3), 0, STAMP);
  for (const end of ['', '-wal', '-shm']) copyFileSync(alive + end, path + end);
  await journal.close();
  rmSync(alive);
  return path;
}

/** The journal in a folder that every user of the machine may enter and write to. */
async function openPlace(make: () => Promise<string>): Promise<string> {
  await make();
  const place = join(folder(), 'place');
  const names = readdirSync(folder());
  mkdirSync(place);
  for (const name of names) copyFileSync(join(folder(), name), join(place, name));
  chmodSync(folder(), 0o755);
  permit(place);
  return place;
}

function forbid(place: string): Confinement {
  for (const name of readdirSync(place)) chmodSync(join(place, name), 0o444);
  chmodSync(place, 0o555);
  return [];
}

function permit(place: string): void {
  chmodSync(place, 0o777);
  for (const name of readdirSync(place)) chmodSync(join(place, name), 0o666);
}

/** Every file by name with all its bytes. */
function contents(place: string): Record<string, string> {
  const names = readdirSync(place, { withFileTypes: true }).filter((entry) => entry.isFile());
  return Object.fromEntries(
    names.map(({ name }) => [name, readFileSync(join(place, name), 'latin1')]).sort(),
  );
}
