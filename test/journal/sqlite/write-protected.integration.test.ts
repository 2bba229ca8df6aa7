/** A folder that may not be written to, by permission or by the disk itself. */
import { chmodSync, copyFileSync, mkdirSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { mayMount, readOnlyDisk } from './confinement.ts';
import { useFolder } from './folder.ts';
import { closedJournal, contents, killedJournal } from './left-behind.ts';
import { type Confinement, runScript } from './script.ts';

const VISIT = new URL('visit.ts', import.meta.url);

const folder = useFolder();

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
  /** What came of opening each of the named journals for this. */
  async function visit(intention: string, place: string, names: string[], barrier: Confinement = []) {
    const paths = names.map((name) => join(place, name));
    return JSON.parse(await runScript(VISIT, [intention, visitor, ...paths], barrier));
  }

  test('a writer is refused and changes nothing; afterwards it may write', async () => {
    const place = await openPlace(closedJournal(folder(), 2));
    const before = contents(place);
    const refused = await visit('write', place, ['j.db', 'new.db', 'sub/new.db'], raise(place));
    expect(refused).toEqual(Array(3).fill('journal.read_only'));
    expect(contents(place)).toEqual(before);
    permit(place);
    expect(await visit('write', place, ['j.db'])).toEqual([3]);
  });

  test('a writer is refused when it opens, even beside the log of a killed daemon', async () => {
    const place = await openPlace(killedJournal(folder()));
    expect(await visit('open', place, ['j.db'], raise(place))).toEqual(['journal.read_only']);
    permit(place);
    expect(await visit('open', place, ['j.db'])).toEqual([3]);
  });

  test.each([
    ['was closed', () => closedJournal(folder(), 2), 2],
    ['a killed daemon left, with events in its log only', () => killedJournal(folder()), 3],
  ])('a reader reads a journal that %s', async (_state, make, events) => {
    const place = await openPlace(make());
    expect(await visit('read', place, ['j.db'], raise(place))).toEqual([events]);
    permit(place);
  });
});

/** The journal in a folder that every user of the machine may enter and write to. */
async function openPlace(journal: Promise<string>): Promise<string> {
  await journal;
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
