/** Turns what SQLite and the file system complain about into the faults of the catalogue. */
import { type FaultCode, LegionError } from '../core/model/fault.ts';

/** Who keeps a database; each has the same faults under its own name. */
export type Area = 'journal' | 'tracker';

type Trouble = 'corrupt' | 'read_only' | 'busy' | 'full' | 'foreign' | 'unavailable';

/** Does `work`; whatever it throws arrives as a coded fault that names the file. */
export function translated<T>(area: Area, path: string, work: () => T): T {
  try {
    return work();
  } catch (error) {
    throw toFault(area, path, error);
  }
}

export function toFault(area: Area, path: string, error: unknown): LegionError {
  if (error instanceof LegionError) return error;
  const message = error instanceof Error ? error.message : String(error);
  return new LegionError(faultCode(area, error), `${path}: ${message}`, { cause: error });
}

/** SQLite's primary result codes, as numbered in https://sqlite.org/rescode.html; extended ones keep them in the low byte. */
const BY_RESULT: ReadonlyMap<number, Trouble> = new Map([
  [1, 'corrupt'], // SQLITE_ERROR: our statements are fixed, so the tables are not as we made them
  [3, 'read_only'], // SQLITE_PERM
  [5, 'busy'], // SQLITE_BUSY
  [6, 'busy'], // SQLITE_LOCKED
  [8, 'read_only'], // SQLITE_READONLY
  [11, 'corrupt'], // SQLITE_CORRUPT
  [13, 'full'], // SQLITE_FULL
  [14, 'read_only'], // SQLITE_CANTOPEN: we have seen the file, so it is the -wal or -shm beside it
  [19, 'corrupt'], // SQLITE_CONSTRAINT: what we write was checked, so rows it refers to were taken away
  [26, 'foreign'], // SQLITE_NOTADB
]);

/** SQLITE_TOOBIG: the same text will never fit, so it must not look retryable. */
const TOO_BIG = 18;

const BY_ERRNO: ReadonlyMap<string, Trouble> = new Map([
  ['EACCES', 'read_only'],
  ['EPERM', 'read_only'],
  ['EROFS', 'read_only'],
  ['ENOSPC', 'full'],
  ['EDQUOT', 'full'],
  ['ERR_OUT_OF_RANGE', 'corrupt'], // a stored number no writer of ours can have stored
]);

function faultCode(area: Area, error: unknown): FaultCode {
  if (typeof error !== 'object' || error === null) return `${area}.unavailable`;
  const { code, errcode } = error as { code?: unknown; errcode?: unknown };
  if (code !== 'ERR_SQLITE_ERROR') return `${area}.${BY_ERRNO.get(String(code)) ?? 'unavailable'}`;
  const result = Number(errcode) & 0xff;
  return result === TOO_BIG ? 'input.invalid' : `${area}.${BY_RESULT.get(result) ?? 'unavailable'}`;
}
