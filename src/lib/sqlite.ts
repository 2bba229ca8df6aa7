/**
 * Opens Legion's SQLite databases so that every commit is durable, checks their format, runs
 * transactions, and converts errors into faults of the catalogue.
 */

import { accessSync, closeSync, constants, existsSync, mkdirSync, openSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { pathToFileURL } from 'node:url';
import { type FaultCode, LegionError } from '../core/model/fault.ts';

/**
 * Maximum time that a write waits for another writer. A commit takes well under 50 ms even on a
 * slow disk, so a second means that the lock is stuck. The event loop is blocked while waiting.
 */
const BUSY_TIMEOUT_MS = 1_000;

export function openDatabase(path: string, format: DatabaseFormat): DatabaseSync {
  prepareDatabaseFile(path, format);
  const db = new DatabaseSync(path, { timeout: BUSY_TIMEOUT_MS });
  try {
    // On macOS a plain fsync leaves the data in the drive's cache. Elsewhere `fullfsync` has no
    // effect.
    db.exec('PRAGMA synchronous = FULL; PRAGMA fullfsync = ON');
    // Creates the tables before switching to WAL, so that they reach the main file at once and its
    // header identifies the file as Legion's.
    if (isEmpty(db)) createTables(db, format);
    checkFormat(db, path, format);
    switchToWal(db, path, format);
  } catch (error) {
    db.close();
    throw error;
  }
  return db;
}

function switchToWal(db: DatabaseSync, path: string, { area }: DatabaseFormat): void {
  const { journal_mode: mode } = db.prepare('PRAGMA journal_mode = WAL').get() ?? {};
  if (mode !== 'wal') {
    throw new LegionError(
      `${area}.unavailable`,
      `${path}: The file system does not support a write-ahead log`,
    );
  }
}

/**
 * These files contain prompts, questions and texts about people's code, so other users must not
 * read them.
 */
const FILE_MODE = 0o600;
const FOLDER_MODE = 0o700;

/**
 * Checks a database file before it is opened: whether it exists, belongs to Legion and is writable.
 * Creates an empty file if there is none. Throws without touching the file if it belongs to another
 * program or is not writable.
 */
function prepareDatabaseFile(path: string, format: DatabaseFormat): void {
  if (hasDatabaseFile(path, format.area)) refuseForeignFile(path, format);
  else makeEmptyFile(path);
  // SQLite would open a read-only file without an error and fail at the first write. A daemon must
  // detect this at startup.
  accessSync(path, constants.W_OK);
  accessSync(dirname(path), constants.W_OK);
}

/** Returns whether the file exists. Throws if something other than a file exists at this path. */
export function hasDatabaseFile(path: string, area: DatabaseOwner): boolean {
  const stats = statSync(path, { throwIfNoEntry: false });
  if (stats === undefined) return false;
  if (!stats.isFile()) throw new LegionError(`${area}.foreign`, `${path} is not a file`);
  return true;
}

/**
 * Opens only the main file, with SQLite's `immutable` option: takes no lock and creates no other
 * files. Never use `fs.open` instead: closing any descriptor of a file drops all locks that this
 * process has on the file, including those of other connections.
 */
export function openImmutable(path: string): DatabaseSync {
  const url = pathToFileURL(path);
  url.searchParams.set('immutable', '1');
  return new DatabaseSync(url, { readOnly: true });
}

/**
 * Checks the file without locking it, because a normal open would create files beside a file that
 * is not ours. Reads a file that looks broken a second time: the process that was creating it may
 * have finished, and removed its log, right after the first read.
 */
function refuseForeignFile(path: string, format: DatabaseFormat): void {
  try {
    checkImmutable(path, format);
  } catch (error) {
    if (error instanceof LegionError) throw error;
    if (!hasUnmergedLog(path)) checkImmutable(path, format);
  }
}

function checkImmutable(path: string, format: DatabaseFormat): void {
  const db = openImmutable(path);
  try {
    if (!isEmpty(db)) checkFormat(db, path, format);
  } finally {
    db.close();
  }
}

/**
 * Returns whether recovery files exist. A process that died while creating the tables leaves a
 * `-journal`, and one that died during a checkpoint leaves a `-wal`. The file alone may then look
 * broken, and a normal open repairs it.
 */
function hasUnmergedLog(path: string): boolean {
  return [`${path}-journal`, `${path}-wal`].some(
    (file) => (statSync(file, { throwIfNoEntry: false })?.size ?? 0) > 0,
  );
}

function makeEmptyFile(path: string): void {
  makeFolder(dirname(path));
  // SQLite gives -wal and -shm the mode of this file.
  makeUnlessPresent(() => closeSync(openSync(path, 'wx', FILE_MODE)));
}

/** Creates directories one by one: Node's recursive `mkdir` reports a read-only disk as ENOENT. */
function makeFolder(path: string): void {
  if (existsSync(path)) return;
  makeFolder(dirname(path));
  makeUnlessPresent(() => mkdirSync(path, { mode: FOLDER_MODE }));
}

/** Another process may create the same file first. */
function makeUnlessPresent(make: () => void): void {
  try {
    make();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
}

export interface DatabaseFormat {
  /** Owner of the database, whose fault codes report a mismatched file. */
  readonly area: DatabaseOwner;
  /**
   * Four ASCII letters in the file header, so that another program's database is not mistaken for
   * ours.
   */
  readonly applicationId: number;
  /** Increased whenever an older Legion could no longer read or safely extend the file. */
  readonly version: number;
  readonly tables: string;
}

/**
 * Creates the tables in an empty file. If two processes start at once, one creates them and the
 * other finds them.
 */
function createTables(db: DatabaseSync, format: DatabaseFormat): void {
  createTransactionRunner(db)(() => {
    if (readPragma(db, 'application_id') === format.applicationId) return;
    db.exec(format.tables);
    db.exec(`PRAGMA user_version = ${format.version}`);
    db.exec(`PRAGMA application_id = ${format.applicationId}`);
  });
}

/** Throws for a file of another program or of a newer Legion. */
export function checkFormat(db: DatabaseSync, path: string, format: DatabaseFormat): void {
  const application = readPragma(db, 'application_id');
  if (application !== format.applicationId) {
    throw new LegionError(
      `${format.area}.foreign`,
      `${path} is another program’s database (application id ${application})`,
    );
  }
  const version = readPragma(db, 'user_version');
  if (version > format.version) {
    throw new LegionError(
      `${format.area}.newer`,
      `${path} has format ${version}. This Legion supports formats up to ${format.version}`,
    );
  }
}

/** Returns true for a file without any committed data. */
export function isEmpty(db: DatabaseSync): boolean {
  return readPragma(db, 'page_count') === 0;
}

function readPragma(db: DatabaseSync, name: 'application_id' | 'user_version' | 'page_count'): number {
  return Number(db.prepare(`PRAGMA ${name}`).get()?.[name]);
}

export type RunTransaction = <T>(work: () => T) => T;

/** Runs writes as one transaction on one connection. */
export function createTransactionRunner(db: DatabaseSync): RunTransaction {
  // IMMEDIATE, because a deferred BEGIN fails at once, regardless of the busy timeout, if another
  // connection writes between this connection's first read and first write.
  const begin = db.prepare('BEGIN IMMEDIATE');
  const commit = db.prepare('COMMIT');
  const rollback = db.prepare('ROLLBACK');

  return (work) => {
    begin.run();
    try {
      const result = work();
      commit.run();
      return result;
    } catch (error) {
      // SQLite rolls back by itself after some failures, such as a full disk.
      if (db.isTransaction) rollback.run();
      throw error;
    }
  };
}

/**
 * The component that owns a database. All components have the same kinds of faults, and each
 * component's name is the prefix of its fault codes.
 */
export type DatabaseOwner = 'journal' | 'tracker';

type DatabaseProblem = 'corrupt' | 'read_only' | 'busy' | 'full' | 'foreign' | 'unavailable';

/** Runs `work` and rethrows its error as a coded fault that names the file. */
export function withSqliteFaults<T>(area: DatabaseOwner, path: string, work: () => T): T {
  try {
    return work();
  } catch (error) {
    throw toSqliteFault(area, path, error);
  }
}

export function toSqliteFault(area: DatabaseOwner, path: string, error: unknown): LegionError {
  if (error instanceof LegionError) return error;
  const message = error instanceof Error ? error.message : String(error);
  return new LegionError(toFaultCode(area, error), `${path}: ${message}`, { cause: error });
}

/**
 * SQLite's primary result codes (https://sqlite.org/rescode.html). Extended codes keep them in the
 * low byte.
 */
const PROBLEMS_BY_RESULT: ReadonlyMap<number, DatabaseProblem> = new Map([
  [1, 'corrupt'], // SQLITE_ERROR: our statements are fixed, so the tables were not created by Legion
  [3, 'read_only'], // SQLITE_PERM
  [5, 'busy'], // SQLITE_BUSY
  [6, 'busy'], // SQLITE_LOCKED
  [8, 'read_only'], // SQLITE_READONLY
  [11, 'corrupt'], // SQLITE_CORRUPT
  [13, 'full'], // SQLITE_FULL
  [14, 'read_only'], // SQLITE_CANTOPEN: the file exists, so the -wal or -shm beside it failed
  [19, 'corrupt'], // SQLITE_CONSTRAINT: our writes are validated, so referenced rows were deleted
  [26, 'foreign'], // SQLITE_NOTADB
]);

/** SQLITE_TOOBIG: the same text will never fit, so it must not look retryable. */
const TOO_BIG_RESULT = 18;

const PROBLEMS_BY_ERRNO: ReadonlyMap<string, DatabaseProblem> = new Map([
  ['EACCES', 'read_only'],
  ['EPERM', 'read_only'],
  ['EROFS', 'read_only'],
  ['ENOSPC', 'full'],
  ['EDQUOT', 'full'],
  ['ERR_OUT_OF_RANGE', 'corrupt'], // a stored number that Legion cannot have written
]);

function toFaultCode(area: DatabaseOwner, error: unknown): FaultCode {
  if (typeof error !== 'object' || error === null) return `${area}.unavailable`;
  const { code, errcode } = error as { code?: unknown; errcode?: unknown };
  if (code !== 'ERR_SQLITE_ERROR') return `${area}.${PROBLEMS_BY_ERRNO.get(String(code)) ?? 'unavailable'}`;
  const result = Number(errcode) & 0xff;
  return result === TOO_BIG_RESULT
    ? 'input.invalid'
    : `${area}.${PROBLEMS_BY_RESULT.get(result) ?? 'unavailable'}`;
}
