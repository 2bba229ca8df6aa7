/** Opens a database of ours for writing, durable to the last commit, making it where there is none. */
import { DatabaseSync } from 'node:sqlite';
import { LegionError } from '../core/model/fault.ts';
import { prepareFile } from './file.ts';
import { checkForm, createTables, type Form, isEmpty } from './form.ts';

/**
 * How long a write waits for another writer, in milliseconds. A commit takes well below 50 ms even on a slow disk, so a
 * second is only reached when somebody sits on the lock; and the event loop stands still while waiting.
 */
const BUSY_TIMEOUT_MS = 1_000;

export function openDatabase(path: string, form: Form): DatabaseSync {
  prepareFile(path, form);
  const db = new DatabaseSync(path, { timeout: BUSY_TIMEOUT_MS });
  try {
    // On macOS a plain fsync leaves the data in the drive's cache; elsewhere `fullfsync` changes nothing.
    db.exec('PRAGMA synchronous = FULL; PRAGMA fullfsync = ON');
    // Before WAL: the tables then reach the main file at once, whose header tells a stranger what it is.
    if (isEmpty(db)) createTables(db, form);
    checkForm(db, path, form);
    switchToWal(db, path, form);
  } catch (error) {
    db.close();
    throw error;
  }
  return db;
}

function switchToWal(db: DatabaseSync, path: string, { area }: Form): void {
  const { journal_mode: mode } = db.prepare('PRAGMA journal_mode = WAL').get() ?? {};
  if (mode !== 'wal') {
    throw new LegionError(
      `${area}.unavailable`,
      `${path}: this file system does not support a write-ahead log`,
    );
  }
}
