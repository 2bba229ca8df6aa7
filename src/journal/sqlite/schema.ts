/** The form of a journal file: what marks it as ours, its tables, and which version of that form it has. */
import type { DatabaseSync } from 'node:sqlite';
import { LegionError } from '../../domain/fault.ts';
import { transactor } from './transaction.ts';

/** "LGNJ" in ASCII: written into the file's header, so that no other program's database is taken for a journal. */
const APPLICATION_ID = 0x4c474e4a;

/** Raised whenever an older Legion could no longer read or safely extend the file. */
const FORMAT_VERSION = 1;

/** STRICT, so that a column never holds another type than the reader expects. */
const TABLES = `
  CREATE TABLE events (
    seq INTEGER PRIMARY KEY,
    at REAL NOT NULL,
    epoch INTEGER NOT NULL,
    type TEXT NOT NULL,
    body TEXT NOT NULL
  ) STRICT;
  CREATE TABLE snapshots (
    version INTEGER PRIMARY KEY,
    shape INTEGER NOT NULL,
    state TEXT NOT NULL
  ) STRICT;
`;

/** Makes the tables in an empty file. Of two processes that begin at the same moment, one does it and the other finds it done. */
export function createSchema(db: DatabaseSync): void {
  transactor(db)(() => {
    if (pragma(db, 'application_id') === APPLICATION_ID) return;
    db.exec(TABLES);
    db.exec(`PRAGMA user_version = ${FORMAT_VERSION}`);
    db.exec(`PRAGMA application_id = ${APPLICATION_ID}`);
  });
}

/** Refuses a file of another program or of a newer Legion. */
export function checkFormat(db: DatabaseSync, path: string): void {
  const application = pragma(db, 'application_id');
  if (application !== APPLICATION_ID) {
    throw new LegionError(
      'journal.foreign',
      `${path}: a database of another program (application id ${application})`,
    );
  }
  const format = pragma(db, 'user_version');
  if (format > FORMAT_VERSION) {
    throw new LegionError(
      'journal.newer',
      `${path}: has format ${format}, this Legion knows up to ${FORMAT_VERSION}`,
    );
  }
}

/** True for a file in which nothing was ever committed. */
export function isEmpty(db: DatabaseSync): boolean {
  return pragma(db, 'page_count') === 0;
}

function pragma(db: DatabaseSync, name: 'application_id' | 'user_version' | 'page_count'): number {
  return Number(db.prepare(`PRAGMA ${name}`).get()?.[name]);
}
