/** Opens a journal for its leader, making it where there is none. */
import { accessSync, closeSync, constants, existsSync, mkdirSync, openSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { LegionError } from '../../domain/fault.ts';
import { type Connection, fileExists, openUnlocked } from './connection.ts';
import { checkFormat, createSchema, isEmpty } from './schema.ts';

/**
 * How long a write waits for another writer, in milliseconds. A commit takes well below 50 ms even on a slow disk, so a
 * second is only reached when somebody sits on the lock; and the event loop stands still while waiting.
 */
const BUSY_TIMEOUT_MS = 1_000;

/** The journal holds prompts, questions and answers: nobody else on the machine reads them. */
const FILE_MODE = 0o600;
const FOLDER_MODE = 0o700;

export function openWritable(path: string): Connection {
  if (fileExists(path)) refuseOthersFile(path);
  else makeEmptyFile(path);
  refuseReadOnly(path);

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
  return { path, db, assertSteady: () => {} };
}

/** Looks before opening in earnest, which would already create files beside a file that is not ours. */
function refuseOthersFile(path: string): void {
  const db = openUnlocked(path);
  try {
    if (!isEmpty(db)) checkFormat(db, path);
  } catch (error) {
    if (error instanceof LegionError || !isHalfOfTheTruth(path)) throw error;
  } finally {
    db.close();
  }
}

/**
 * A process that died while making the tables leaves a `-journal`, one that died while moving its log into the file leaves
 * a `-wal`: the file alone may then look broken, and opening it in earnest mends it.
 */
function isHalfOfTheTruth(path: string): boolean {
  return [`${path}-journal`, `${path}-wal`].some(
    (beside) => (statSync(beside, { throwIfNoEntry: false })?.size ?? 0) > 0,
  );
}

function makeEmptyFile(path: string): void {
  makeFolder(dirname(path));
  // SQLite gives -wal and -shm the mode of this file.
  unlessThere(() => closeSync(openSync(path, 'wx', FILE_MODE)));
}

/** Step by step: the recursive `mkdir` of Node reports a read-only disk as ENOENT. */
function makeFolder(path: string): void {
  if (existsSync(path)) return;
  makeFolder(dirname(path));
  unlessThere(() => mkdirSync(path, { mode: FOLDER_MODE }));
}

/** Another process may be faster with the same. */
function unlessThere(make: () => void): void {
  try {
    make();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
}

/** SQLite would open a read-only file without complaint and fail at the first append: a daemon must know at its start. */
function refuseReadOnly(path: string): void {
  accessSync(path, constants.W_OK);
  accessSync(dirname(path), constants.W_OK);
}

function switchToWal(db: DatabaseSync, path: string): void {
  const { journal_mode: mode } = db.prepare('PRAGMA journal_mode = WAL').get() ?? {};
  if (mode !== 'wal') {
    throw new LegionError(
      'journal.unavailable',
      `${path}: this file system does not support a write-ahead log`,
    );
  }
}
