/** The form of a board file: what marks it as ours, its tables, and which version of that form it has. */
import type { DatabaseSync } from 'node:sqlite';
import { LegionError } from '../../domain/fault.ts';
import { transactor } from './transaction.ts';

/** "LGNB" in ASCII: written into the file's header, so that no other program's database is taken for a board. */
const APPLICATION_ID = 0x4c474e42;

/** Raised whenever an older Legion could no longer read or safely extend the file. */
const FORMAT_VERSION = 1;

/**
 * STRICT, so that a column never holds another type than the reader expects. The last number given away stands apart from
 * the issues: it stays when they are deleted. An id is kept whole, so another prefix changes no issue that is there.
 */
const TABLES = `
  CREATE TABLE numbers (last INTEGER NOT NULL) STRICT;
  INSERT INTO numbers VALUES (0);
  CREATE TABLE issues (
    number INTEGER PRIMARY KEY,
    id TEXT NOT NULL UNIQUE,
    key TEXT NOT NULL UNIQUE,
    title TEXT NOT NULL,
    body TEXT NOT NULL,
    status TEXT NOT NULL,
    closed INTEGER NOT NULL DEFAULT 0 CHECK (closed IN (0, 1)),
    priority INTEGER NOT NULL CHECK (priority BETWEEN 0 AND 4),
    parent TEXT REFERENCES issues (id),
    created_at REAL NOT NULL,
    entered_at REAL NOT NULL
  ) STRICT;
  CREATE TABLE labels (
    issue TEXT NOT NULL REFERENCES issues (id),
    name TEXT NOT NULL,
    PRIMARY KEY (issue, name)
  ) STRICT, WITHOUT ROWID;
  CREATE TABLE blockers (
    issue TEXT NOT NULL REFERENCES issues (id),
    blocker TEXT NOT NULL REFERENCES issues (id),
    PRIMARY KEY (issue, blocker)
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX blockers_by_blocker ON blockers (blocker);
  CREATE TABLE comments (
    number INTEGER PRIMARY KEY AUTOINCREMENT,
    issue TEXT NOT NULL REFERENCES issues (id),
    key TEXT,
    author TEXT NOT NULL,
    by TEXT NOT NULL CHECK (by IN ('legion', 'writer')),
    at REAL NOT NULL,
    text TEXT NOT NULL,
    UNIQUE (issue, key)
  ) STRICT;
  CREATE INDEX comments_by_time ON comments (issue, at);
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
      'tracker.foreign',
      `${path}: a database of another program (application id ${application})`,
    );
  }
  const format = pragma(db, 'user_version');
  if (format > FORMAT_VERSION) {
    throw new LegionError(
      'tracker.newer',
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
