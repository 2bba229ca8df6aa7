/** The embedded journal: one SQLite file, opened by its leader, or by anyone to look at it. */
import { resolve } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import type { Event } from '../../core/model/event.ts';
import { LegionError } from '../../core/model/fault.ts';
import { createEmitter } from '../../lib/async/emitter.ts';
import { toFault, translated } from '../../sqlite/faults.ts';
import { openDatabase } from '../../sqlite/open.ts';
import { transactor } from '../../sqlite/transaction.ts';
import type { Journal } from '../journal.ts';
import { appender } from './append.ts';
import type { Connection } from './connection.ts';
import { openReadOnly } from './open-read-only.ts';
import { batchReader, refuseBadRange, versionReader } from './read.ts';
import { addChecksumColumn, JOURNAL_FORM } from './schema.ts';
import { snapshotShelf } from './snapshots.ts';

export interface SqliteJournalOptions {
  /** Writes and creates nothing; `append` and `saveSnapshot` reject with `journal.read_only`. */
  readonly readOnly?: boolean;
}

/** `path` is made with its folder where it does not exist, unless it is opened for reading only. */
export async function openSqliteJournal(path: string, options: SqliteJournalOptions = {}): Promise<Journal> {
  // Absolute, because SQLite reads "file:…" as a URI and the working directory may change.
  const file = resolve(path);
  return translated('journal', file, () => {
    const connection = options.readOnly === true ? openReadOnly(file) : openForWriting(file);
    try {
      return sqliteJournal(connection);
    } catch (error) {
      connection.db.close();
      throw error;
    }
  });
}

/** Only appends of this handle give hints: another process's appends are noticed by whoever reads again. */
export function sqliteJournal({ db, path, assertSteady }: Connection): Journal {
  const transact = transactor(db);
  const append = appender(db, transact);
  const readBatch = batchReader(db);
  const version = versionReader(db);
  const snapshots = snapshotShelf(db, transact, version);
  const hints = createEmitter();

  function use<T>(work: () => T): T {
    if (!db.isOpen) throw new LegionError('journal.closed', `${path}: used after it was closed`);
    try {
      const result = work();
      assertSteady();
      return result;
    } catch (error) {
      assertSteady(); // a file that changes while it is read looks corrupt, but is not
      throw toFault('journal', path, error);
    }
  }

  async function* read(after: number, through = Number.MAX_SAFE_INTEGER): AsyncGenerator<readonly Event[]> {
    refuseBadRange(after, through);
    let last = after;
    for (;;) {
      const batch = use(() => readBatch(last, through));
      last = batch.at(-1)?.seq ?? last;
      if (batch.length === 0) return;
      yield batch;
      await setImmediate(); // a long journal must not keep everybody else from running
    }
  }

  return {
    read,
    async append(events, expected, stamp) {
      const reached = use(() => append(events, expected, stamp));
      if (events.length > 0) hints.emit();
      return reached;
    },
    version: async () => use(version),
    saveSnapshot: async (snapshot) => use(() => snapshots.save(snapshot)),
    latestSnapshot: async () => use(snapshots.latest),
    subscribe: (listener) => use(() => hints.subscribe(() => listener())),
    async close() {
      hints.close();
      if (db.isOpen) translated('journal', path, () => db.close());
    },
  };
}

/** SQLite's own locks keep a writer's view steady. */
function openForWriting(path: string): Connection {
  const db = openDatabase(path, JOURNAL_FORM);
  try {
    addChecksumColumn(db);
  } catch (error) {
    db.close();
    throw error;
  }
  return { path, db, assertSteady: () => {} };
}
