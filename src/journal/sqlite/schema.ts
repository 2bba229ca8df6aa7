/** The tables of a journal file. */
import type { Form } from '../../sqlite/form.ts';

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

export const JOURNAL_FORM: Form = {
  area: 'journal',
  /** "LGNJ". */
  applicationId: 0x4c474e4a,
  version: 1,
  tables: TABLES,
};
