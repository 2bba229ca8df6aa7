/** Turns what SQLite and the file system complain about into the faults of the catalogue. */
import { type FaultCode, LegionError } from '../../domain/fault.ts';

/** Does `work`; whatever it throws arrives as a coded fault that names the file. */
export function translated<T>(path: string, work: () => T): T {
  try {
    return work();
  } catch (error) {
    if (error instanceof LegionError) throw error;
    const message = error instanceof Error ? error.message : String(error);
    throw new LegionError(faultCode(error), `${path}: ${message}`, { cause: error });
  }
}

/** SQLite's primary result codes, as numbered in https://sqlite.org/rescode.html; extended ones keep them in the low byte. */
const BY_RESULT: ReadonlyMap<number, FaultCode> = new Map([
  [1, 'tracker.corrupt'], // SQLITE_ERROR: our statements are fixed, so the tables are not as we made them
  [3, 'tracker.read_only'], // SQLITE_PERM
  [5, 'tracker.busy'], // SQLITE_BUSY
  [6, 'tracker.busy'], // SQLITE_LOCKED
  [8, 'tracker.read_only'], // SQLITE_READONLY
  [11, 'tracker.corrupt'], // SQLITE_CORRUPT
  [13, 'tracker.full'], // SQLITE_FULL
  [14, 'tracker.read_only'], // SQLITE_CANTOPEN: we have seen the file, so it is the -wal or -shm beside it
  [19, 'tracker.corrupt'], // SQLITE_CONSTRAINT: what we write was checked, so rows it refers to were taken away
  [26, 'tracker.foreign'], // SQLITE_NOTADB
]);

const BY_ERRNO: ReadonlyMap<string, FaultCode> = new Map([
  ['EACCES', 'tracker.read_only'],
  ['EPERM', 'tracker.read_only'],
  ['EROFS', 'tracker.read_only'],
  ['ENOSPC', 'tracker.full'],
  ['EDQUOT', 'tracker.full'],
  ['ERR_OUT_OF_RANGE', 'tracker.corrupt'], // a stored number no writer of ours can have stored
]);

function faultCode(error: unknown): FaultCode {
  if (typeof error !== 'object' || error === null) return 'tracker.unavailable';
  const { code, errcode } = error as { code?: unknown; errcode?: unknown };
  const known =
    code === 'ERR_SQLITE_ERROR' ? BY_RESULT.get(Number(errcode) & 0xff) : BY_ERRNO.get(String(code));
  return known ?? 'tracker.unavailable';
}
