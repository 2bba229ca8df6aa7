/** The tables of a board file. */
import type { Form } from '../../sqlite/form.ts';

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

export const BOARD_FORM: Form = {
  area: 'tracker',
  /** "LGNB". */
  applicationId: 0x4c474e42,
  version: 1,
  tables: TABLES,
};
