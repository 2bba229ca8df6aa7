/**
 * Tests a journal in a folder that cannot be written to, because of its permissions or because the
 * disk is read-only.
 */
import { chmodSync, copyFileSync, mkdirSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import { skipUnlessPermitted } from '../../support/required-program.ts';
import { mayMount, readOnlyDisk } from './confinement.ts';
import { useFolder } from './folder.ts';
import { closedJournal, contents, killedJournal } from './left-behind.ts';
import { type Confinement, runScript } from './script.ts';

const VISIT = new URL('visit.ts', import.meta.url);

const folder = useFolder();

/** A way to keep a process from writing to a folder. */
interface Barrier {
  /**
   * Permissions do not restrict root, so the visitor has to be the user `nobody` if the test runs
   * as root.
   */
  readonly visitor: 'nobody' | 'anybody';
  readonly raise: (place: string) => Confinement;
  readonly mounts?: boolean;
}

const barriers: Readonly<Record<string, Barrier>> = {
  'a journal without write permission': { visitor: 'nobody', raise: forbid },
  'a journal on a disk mounted read-only': { visitor: 'anybody', raise: readOnlyDisk, mounts: true },
};

describe.each(Object.entries(barriers))('%s', (_, { visitor, raise, mounts = false }) => {
  beforeEach((context) => {
    if (mounts) skipUnlessPermitted(context, mayMount(), 'mounts');
  });

  /** Returns the result of opening each of the named journals. */
  async function visit(intention: string, place: string, names: string[], barrier: Confinement = []) {
    const paths = names.map((name) => join(place, name));
    return JSON.parse(await runScript(VISIT, [intention, visitor, ...paths], barrier));
  }

  test('rejects a writer without changing the journal, and accepts it once writing is allowed', async () => {
    const place = await openPlace(closedJournal(folder(), 2));
    const before = contents(place);
    const refused = await visit('write', place, ['j.db', 'new.db', 'sub/new.db'], raise(place));
    expect(refused).toEqual(Array(3).fill('journal.read_only'));
    expect(contents(place)).toEqual(before);
    permit(place);
    expect(await visit('write', place, ['j.db'])).toEqual([3]);
  });

  test('rejects a writer when it opens the journal, even if a killed daemon has left its log', async () => {
    const place = await openPlace(killedJournal(folder()));
    expect(await visit('open', place, ['j.db'], raise(place))).toEqual(['journal.read_only']);
    permit(place);
    expect(await visit('open', place, ['j.db'])).toEqual([3]);
  });

  test.each([
    ['after it was closed', () => closedJournal(folder(), 2), 2],
    ['with events only in the log of a killed daemon', () => killedJournal(folder()), 3],
  ])('can be read %s', async (_state, make, events) => {
    const place = await openPlace(make());
    expect(await visit('read', place, ['j.db'], raise(place))).toEqual([events]);
    permit(place);
  });
});

/** Puts the journal in a folder that every user may enter and write to. */
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
