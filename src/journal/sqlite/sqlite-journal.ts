/** The SQLite journal: one file, opened for writing by the leader or read-only by others. */

import { statSync } from 'node:fs';
import { resolve } from 'node:path';
import { DatabaseSync, type StatementSync } from 'node:sqlite';
import { setImmediate } from 'node:timers/promises';
import type { Event, EventBody } from '../../core/model/event.ts';
import { LegionError } from '../../core/model/fault.ts';
import { createEmitter } from '../../lib/async/emitter.ts';
import {
  checkFormat,
  createTransactionRunner,
  hasDatabaseFile,
  isEmpty,
  openDatabase,
  openImmutable,
  type RunTransaction,
  toSqliteFault,
  withSqliteFaults,
} from '../../lib/sqlite.ts';
import type { EventStamp, Journal } from '../../ports/journal.ts';
import {
  addChecksumColumn,
  createBatchReader,
  createVersionReader,
  encodeBody,
  JOURNAL_FORMAT,
  type JournalConnection,
  refuseBadRange,
} from './rows.ts';
import { createSnapshotStore } from './snapshots.ts';

export interface SqliteJournalOptions {
  /** Writes and creates nothing. `append` and `saveSnapshot` reject with `journal.read_only`. */
  readonly readOnly?: boolean;
}

/** Creates the file and its folder if missing, unless opened read-only. */
export async function openSqliteJournal(path: string, options: SqliteJournalOptions = {}): Promise<Journal> {
  // Absolute, because SQLite reads "file:…" as a URI and the working directory may change.
  const file = resolve(path);
  return withSqliteFaults('journal', file, () => {
    const connection = options.readOnly === true ? openJournalReadOnly(file) : openForWriting(file);
    try {
      return createSqliteJournal(connection);
    } catch (error) {
      connection.db.close();
      throw error;
    }
  });
}

/**
 * Emits hints only for appends of this handle. Appends by other processes are found by reading
 * again.
 */
export function createSqliteJournal({ db, path, assertSteady }: JournalConnection): Journal {
  const transact = createTransactionRunner(db);
  const append = createAppender(db, transact);
  const readBatch = createBatchReader(db);
  const version = createVersionReader(db);
  const snapshots = createSnapshotStore(db, transact, version);
  const hints = createEmitter();

  function use<T>(work: () => T): T {
    if (!db.isOpen) throw new LegionError('journal.closed', `${path}: The journal is closed`);
    try {
      const result = work();
      assertSteady();
      return result;
    } catch (error) {
      assertSteady(); // a file that changes during a read looks corrupt but is not
      throw toSqliteFault('journal', path, error);
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
      await setImmediate(); // lets other work run while reading a long journal
    }
  }

  return {
    read,
    async append(events, expected, stamp) {
      const newVersion = use(() => append(events, expected, stamp));
      if (events.length > 0) hints.emit();
      return newVersion;
    },
    version: async () => use(version),
    saveSnapshot: async (snapshot) => use(() => snapshots.save(snapshot)),
    latestSnapshot: async () => use(snapshots.latest),
    subscribe: (listener) => use(() => hints.subscribe(() => listener())),
    async close() {
      hints.close();
      if (db.isOpen) withSqliteFaults('journal', path, () => db.close());
    },
  };
}

/** SQLite's own locks keep a writer's view consistent. */
function openForWriting(path: string): JournalConnection {
  const db = openDatabase(path, JOURNAL_FORMAT);
  try {
    addChecksumColumn(db);
  } catch (error) {
    db.close();
    throw error;
  }
  return { path, db, assertSteady: () => {} };
}

/** Readers of a write-ahead log do not wait, except briefly while another process recovers it. */
const RECOVERY_TIMEOUT_MS = 1_000;

/**
 * Opens a journal for reading without writing or creating anything. A running or killed daemon
 * leaves `-wal` and `-shm` beside the file. If they exist, SQLite reads them under its locks,
 * because some events may be only in the `-wal`. If they are missing, a normal open would create
 * them, so the file alone is read without locks.
 */
function openJournalReadOnly(path: string): JournalConnection {
  if (!hasDatabaseFile(path, 'journal')) throw new LegionError('journal.missing', `${path}: no such file`);
  const log = readFileSize(`${path}-wal`);
  const shared = log !== undefined && readFileSize(`${path}-shm`) !== undefined;
  if (!shared && log !== undefined && log > 0n) {
    throw new LegionError(
      'journal.unavailable',
      `${path}: its -wal file was copied without its -shm file. Create an empty file ${path}-shm`,
    );
  }

  const before = computeFileFingerprint(path);
  const db = shared
    ? new DatabaseSync(path, { readOnly: true, timeout: RECOVERY_TIMEOUT_MS })
    : openImmutable(path);
  try {
    if (isEmpty(db))
      throw new LegionError('journal.missing', `${path} is empty. No legion has written to it yet`);
    checkFormat(db, path, JOURNAL_FORMAT);
  } catch (error) {
    db.close();
    throw error;
  }
  return { path, db, assertSteady: shared ? () => {} : () => assertUnchanged(path, before) };
}

/**
 * Throws if the file has changed. Without locks, a change is the only sign that a daemon has begun
 * to write and that the data may be half old, half new.
 */
function assertUnchanged(path: string, before: string): void {
  if (computeFileFingerprint(path) !== before) {
    throw new LegionError('journal.busy', `${path}: a daemon opened it during the read. Open it again`);
  }
}

/**
 * A writer creates a `-wal` before it changes the file, so one of these numbers changes before a
 * read can return mixed data.
 */
function computeFileFingerprint(path: string): string {
  const { ino, size, mtimeNs } = statSync(path, { bigint: true });
  return [ino, size, mtimeNs, readFileSize(`${path}-wal`)].join(' ');
}

function readFileSize(path: string): bigint | undefined {
  return statSync(path, { bigint: true, throwIfNoEntry: false })?.size;
}

type AppendEvents = (bodies: readonly EventBody[], expected: number, stamp: EventStamp) => number;

const INSERT_EVENT = 'INSERT INTO events (seq, at, epoch, type, body, checksum) VALUES (?, ?, ?, ?, ?, ?)';

/**
 * Creates the append function, which is the only way to write to the journal. Appends are fenced by
 * version and epoch.
 */
function createAppender(db: DatabaseSync, transact: RunTransaction): AppendEvents {
  // Epochs never decrease from row to row (see below), so the last row has the highest epoch. The
  // row is queried every time, because another process may have written in the meantime, and the
  // lookup costs far less than the commit.
  const last = db.prepare('SELECT seq, epoch FROM events ORDER BY seq DESC LIMIT 1');
  // Prepared on first use, because a file opened read-only may lack the checksum column.
  let insert: StatementSync | undefined;

  function refuseStale(expected: number, epoch: number): void {
    const tail = last.get() as { seq: number; epoch: number } | undefined;
    const highest = tail?.epoch ?? 0;
    if (epoch < highest) {
      throw new LegionError('journal.fenced', `Epoch ${epoch} was replaced by epoch ${highest}`);
    }
    const version = tail?.seq ?? 0;
    if (version !== expected) {
      throw new LegionError(
        'journal.conflict',
        `The journal is at version ${version}, but the writer expected ${expected}`,
      );
    }
  }

  return (bodies, expected, stamp) => {
    refuseBadStamp(stamp);
    // Encoded before the lock is taken, so that other writers wait only for the disk.
    const rows = bodies.map(encodeBody);
    if (rows.length === 0) {
      refuseStale(expected, stamp.epoch);
      return expected;
    }
    return transact(() => {
      refuseStale(expected, stamp.epoch);
      insert ??= db.prepare(INSERT_EVENT);
      let seq = expected;
      for (const row of rows) {
        seq += 1;
        insert.run(seq, stamp.at, stamp.epoch, row.type, row.body, row.checksum);
      }
      return seq;
    });
  };
}

function refuseBadStamp({ at, epoch }: EventStamp): void {
  if (!Number.isFinite(at)) throw new LegionError('input.invalid', `stamp.at: expected a time, got ${at}`);
  if (!Number.isSafeInteger(epoch) || epoch < 0) {
    throw new LegionError('input.invalid', `stamp.epoch: expected a non-negative whole number, got ${epoch}`);
  }
}
