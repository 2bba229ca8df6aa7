/** The local tracker: a board in one SQLite file, for one machine and nothing to sign up for. */

import { resolve } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import { LegionError } from '../../core/model/fault.ts';
import type { IssueId } from '../../core/model/ids.ts';
import { accepted, acceptedId, prefixSchema, timeSchema } from '../../integrations/local/tracker/input.ts';
import { reader } from '../../integrations/local/tracker/read.ts';
import { writer } from '../../integrations/local/tracker/write.ts';
import { createEmitter } from '../../lib/async/emitter.ts';
import type { LocalBoard } from '../../ports/board-editor.ts';
import { translated } from '../../sqlite/faults.ts';
import { openDatabase } from '../../sqlite/open.ts';
import { knownIssues } from './known.ts';
import { BOARD_FORM } from './schema.ts';

export interface LocalBoardOptions {
  /** New issues are called `{prefix}-{number}`; those that are there keep their names. */
  readonly prefix: string;
  /** Milliseconds since 1970, as `Clock.now` tells them. */
  readonly now: () => number;
}

export interface LocalFileBoard extends LocalBoard {
  /** What does not stop the list but a person should know. */
  troubles(): readonly string[];
}

const MAY_DISPATCH = { allowed: true, why: 'whoever can write to a local board owns the machine' } as const;

/** `path` is made with its folder where it does not exist. */
export async function openLocalBoard(path: string, options: LocalBoardOptions): Promise<LocalFileBoard> {
  const prefix = accepted(prefixSchema, options.prefix, 'prefix');
  // Absolute, because SQLite reads "file:…" as a URI and the working directory may change.
  const file = resolve(path);
  return translated('tracker', file, () => {
    const db = openDatabase(file, BOARD_FORM);
    try {
      return localBoard(db, file, { prefix, now: options.now });
    } catch (error) {
      db.close();
      throw error;
    }
  });
}

function localBoard(db: DatabaseSync, path: string, options: LocalBoardOptions): LocalFileBoard {
  const changes = createEmitter<IssueId>();
  const { list, read, commentsSince, troubles } = reader(db);
  const requireKnown = knownIssues(db);

  function use<T>(work: () => T): T {
    if (!db.isOpen) throw new LegionError('tracker.closed', `${path}: used after it was closed`);
    return translated('tracker', path, work);
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
      const id = acceptedId(issue);
      return use(() => read(id));
    },
    async commentsSince(issue, since, signal) {
      signal.throwIfAborted();
      const id = acceptedId(issue);
      const from = accepted(timeSchema, since, 'since');
      return use(() => {
        requireKnown(id);
        return commentsSince(id, from);
      });
    },
    ...writer(db, options, use, changes.emit),
    troubles,
    subscribe: (listener) => use(() => changes.subscribe(listener)),
    async dispose() {
      changes.close();
      if (db.isOpen) translated('tracker', path, () => db.close());
    },
  };
}
