/** Creates journals as a daemon leaves them, and detects changes to their files. */
import { copyFileSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { openSqliteJournal } from '../../../src/journal/sqlite/sqlite-journal.ts';
import { messages, STAMP } from '../../ports/journal/events.ts';

/** Creates `j.db`, closed properly, with a snapshot at its second event. */
export async function closedJournal(folder: string, events: number): Promise<string> {
  const path = join(folder, 'j.db');
  const journal = await openSqliteJournal(path);
  await journal.append(messages(1, events), 0, STAMP);
  await journal.saveSnapshot({ version: Math.min(events, 2), shape: 1, state: 'two' });
  await journal.close();
  return path;
}

/**
 * Creates `j.db` as a killed process leaves it. The file is copied while the journal is open, when
 * all three events are only in the log.
 */
export async function killedJournal(folder: string): Promise<string> {
  const alive = join(folder, 'alive.db');
  const path = join(folder, 'j.db');
  const journal = await openSqliteJournal(alive);
  await journal.append(messages(1, 3), 0, STAMP);
  for (const end of ['', '-wal', '-shm']) copyFileSync(alive + end, path + end);
  await journal.close();
  rmSync(alive);
  return path;
}

/** Returns every file's bytes by name. */
export function contents(place: string): Record<string, string> {
  const names = readdirSync(place, { withFileTypes: true }).filter((entry) => entry.isFile());
  return Object.fromEntries(
    names.map(({ name }) => [name, readFileSync(join(place, name), 'latin1')]).sort(),
  );
}
