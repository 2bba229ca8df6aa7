/** Opens the database of a board, making it where there is none. */
import { DatabaseSync } from 'node:sqlite';
import { LegionError } from '../../domain/fault.ts';
import { prepareFile } from './file.ts';
import { checkFormat, createSchema, isEmpty } from './schema.ts';

/**
 * How long a write waits for another writer, in milliseconds. A commit takes well below 50 ms even on a slow disk, so a
 * second is only reached when somebody sits on the lock; and the event loop stands still while waiting.
 */
const BUSY_TIMEOUT_MS = 1_000;

export function openFile(path: string): DatabaseSync {
  prepareFile(path);
  const db = new DatabaseSync(path, { timeout: BUSY_TIMEOUT_MS });
  try {
    // On macOS a plain fsync leaves the data in the drive's cache; elsewhere `fullfsync` changes nothing.
    db.exec('PRAGMA synchronous = FULL; PRAGMA fullfsync = ON');
    // Before WAL: the tables then reach the main file at once, whose header tells a stranger what it is.
    if (isEmpty(db)) createSchema(db);
    checkFormat(db, path);
    switchToWal(db, path);
  } catch (error) {
    db.close();
    throw error;
  }
  return db;
}

function switchToWal(db: DatabaseSync, path: string): void {
  const { journal_mode: mode } = db.prepare('PRAGMA journal_mode = WAL').get() ?? {};
  if (mode !== 'wal') {
    throw new LegionError(
      'tracker.unavailable',
      `${path}: this file system does not support a write-ahead log`,
    );
  }
}
