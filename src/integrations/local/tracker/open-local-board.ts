/** Opens the local tracker: a board in one SQLite file, without any account or service. */
import { resolve } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import { LegionError } from '../../../core/model/fault.ts';
import type { IssueId } from '../../../core/model/ids.ts';
import { createEmitter } from '../../../lib/async/emitter.ts';
import { type DatabaseFormat, openDatabase, withSqliteFaults } from '../../../lib/sqlite.ts';
import type { LocalBoard } from '../../../ports/board-editor.ts';
import { prefixSchema, requireInput, requireLocalIssueId, timeSchema } from './input.ts';
import { createBoardReader, createRequireKnown } from './read.ts';
import { createBoardWriter } from './write.ts';

export interface LocalBoardOptions {
  /** New issues are named `{prefix}-{number}`. Existing issues keep their ids. */
  readonly prefix: string;
  /** Returns milliseconds since 1970, as `Clock.now` does. */
  readonly now: () => number;
}

export interface LocalFileBoard extends LocalBoard {
  /** Returns problems that the operator should know about but that do not make the list fail. */
  problems(): readonly string[];
}

const MAY_DISPATCH = {
  allowed: true,
  why: 'anyone who can write to a local board already controls the machine',
} as const;

/** Creates the file and its directory if they do not exist. */
export async function openLocalBoard(path: string, options: LocalBoardOptions): Promise<LocalFileBoard> {
  const prefix = requireInput(prefixSchema, options.prefix, 'prefix');
  // Uses an absolute path, because SQLite reads "file:…" as a URI and the working directory may
  // change.
  const file = resolve(path);
  return withSqliteFaults('tracker', file, () => {
    const db = openDatabase(file, BOARD_FORMAT);
    try {
      return createLocalBoard(db, file, { prefix, now: options.now });
    } catch (error) {
      db.close();
      throw error;
    }
  });
}

function createLocalBoard(db: DatabaseSync, path: string, options: LocalBoardOptions): LocalFileBoard {
  const changes = createEmitter<IssueId>();
  const { list, read, commentsSince, problems } = createBoardReader(db);
  const requireKnown = createRequireKnown(db);

  function use<T>(work: () => T): T {
    if (!db.isOpen) throw new LegionError('tracker.closed', `${path}: used after it was closed`);
    return withSqliteFaults('tracker', path, work);
  }

  return {
    kind: 'local',
    mayDispatch: () => MAY_DISPATCH,
    async list(signal) {
      signal.throwIfAborted();
      return use(list);
    },
    async read(issue, signal) {
      signal.throwIfAborted();
      const id = requireLocalIssueId(issue);
      return use(() => read(id));
    },
    async commentsSince(issue, since, signal) {
      signal.throwIfAborted();
      const id = requireLocalIssueId(issue);
      const from = requireInput(timeSchema, since, 'since');
      return use(() => {
        requireKnown(id);
        return commentsSince(id, from);
      });
    },
    ...createBoardWriter(db, options, use, changes.emit),
    problems,
    subscribe: (listener) => use(() => changes.subscribe(listener)),
    async dispose() {
      changes.close();
      if (db.isOpen) withSqliteFaults('tracker', path, () => db.close());
    },
  };
}

/**
 * STRICT tables, so that a column never holds a type that the reader does not expect. The last used
 * number is stored apart from the issues, so it survives their deletion. Ids are stored in full, so
 * that a new prefix does not rename existing issues.
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

/** Defines the tables of a board file. */
export const BOARD_FORMAT: DatabaseFormat = {
  area: 'tracker',
  /** "LGNB" in ASCII. */
  applicationId: 0x4c474e42,
  version: 1,
  tables: TABLES,
};
