/** The tables of a journal file. */
import type { DatabaseSync } from 'node:sqlite';
import type { Form } from '../../sqlite/form.ts';
import { transactor } from '../../sqlite/transaction.ts';

/** STRICT, so that a column never holds another type than the reader expects. */
const TABLES = `
  CREATE TABLE events (
    seq INTEGER PRIMARY KEY,
    at REAL NOT NULL,
    epoch INTEGER NOT NULL,
    type TEXT NOT NULL,
    body TEXT NOT NULL,
    checksum INTEGER
  ) STRICT;
  CREATE TABLE snapshots (
    version INTEGER PRIMARY KEY,
    shape INTEGER NOT NULL,
    state TEXT NOT NULL
  ) STRICT;
`;

export const JOURNAL_FORM: Form = {
  area: 'journal',
  /** "LGNJ". */
  applicationId: 0x4c474e4a,
  // Not raised for the checksum: an older Legion neither reads nor writes it.
  version: 1,
  tables: TABLES,
};

/** Files of an older Legion lack the column; their rows have no checksum and are read strictly. */
export function addChecksumColumn(db: DatabaseSync): void {
  if (hasChecksumColumn(db)) return;
  transactor(db)(() => {
    // Another process may have added it since.
    if (!hasChecksumColumn(db)) db.exec('ALTER TABLE events ADD COLUMN checksum INTEGER');
  });
}

export function hasChecksumColumn(db: DatabaseSync): boolean {
  const columns = db.prepare("SELECT 1 FROM pragma_table_info('events') WHERE name = 'checksum'");
  return columns.get() !== undefined;
}
