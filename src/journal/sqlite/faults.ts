/** Turns what SQLite and the file system complain about into the faults of the catalogue. */
import { type FaultCode, LegionError } from '../../domain/fault.ts';

/** Does `work`; whatever it throws arrives as a coded fault that names the file. */
export function translated<T>(path: string, work: () => T): T {
  try {
    return work();
  } catch (error) {
    throw toFault(path, error);
  }
}

export function toFault(path: string, error: unknown): LegionError {
  if (error instanceof LegionError) return error;
  const message = error instanceof Error ? error.message : String(error);
  return new LegionError(faultCode(error), `${path}: ${message}`, { cause: error });
}

/** SQLite's primary result codes, as numbered in https://sqlite.org/rescode.html; extended ones keep them in the low byte. */
const BY_RESULT: ReadonlyMap<number, FaultCode> = new Map([
  [1, 'journal.corrupt'], // SQLITE_ERROR: our statements are fixed, so the tables are not as we made them
  [3, 'journal.read_only'], // SQLITE_PERM
  [5, 'journal.busy'], // SQLITE_BUSY
  [6, 'journal.busy'], // SQLITE_LOCKED
  [8, 'journal.read_only'], // SQLITE_READONLY
  [11, 'journal.corrupt'], // SQLITE_CORRUPT
  [13, 'journal.full'], // SQLITE_FULL
  [14, 'journal.read_only'], // SQLITE_CANTOPEN: we have seen the file, so it is the -wal or -shm beside it
  [18, 'input.invalid'], // SQLITE_TOOBIG: the same text will never fit, so it must not look retryable
  [26, 'journal.foreign'], // SQLITE_NOTADB
]);

const BY_ERRNO: ReadonlyMap<string, FaultCode> = new Map([
  ['EACCES', 'journal.read_only'],
  ['EPERM', 'journal.read_only'],
  ['EROFS', 'journal.read_only'],
  ['ENOSPC', 'journal.full'],
  ['EDQUOT', 'journal.full'],
  ['ERR_OUT_OF_RANGE', 'journal.corrupt'], // a stored number no writer of ours can have stored
]);

function faultCode(error: unknown): FaultCode {
  if (typeof error !== 'object' || error === null) return 'journal.unavailable';
  const { code, errcode } = error as { code?: unknown; errcode?: unknown };
  const known =
    code === 'ERR_SQLITE_ERROR' ? BY_RESULT.get(Number(errcode) & 0xff) : BY_ERRNO.get(String(code));
  return known ?? 'journal.unavailable';
}
