/** Opens a journal to look at it: nothing is written, nothing is created. */
import { statSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { LegionError } from '../../core/model/fault.ts';
import { fileExists, openUnlocked } from '../../sqlite/file.ts';
import { checkForm, isEmpty } from '../../sqlite/form.ts';
import type { Connection } from './connection.ts';
import { JOURNAL_FORM } from './schema.ts';

/** Readers of a write-ahead log wait for nobody, except for an instant while another process recovers it; in milliseconds. */
const RECOVERY_TIMEOUT_MS = 1_000;

/**
 * A daemon that runs, or was killed, leaves `-wal` and `-shm` beside the file: events may be in the `-wal` only, and SQLite
 * reads both under its locks. Without them an ordinary opening would create both, so the file alone is read unlocked.
 */
export function openReadOnly(path: string): Connection {
  if (!fileExists(path, 'journal')) throw new LegionError('journal.missing', `${path}: no such file`);
  const log = sizeOf(`${path}-wal`);
  const shared = log !== undefined && sizeOf(`${path}-shm`) !== undefined;
  if (!shared && log !== undefined && log > 0n) {
    throw new LegionError(
      'journal.unavailable',
      `${path}: its -wal file was copied without its -shm file; an empty file ${path}-shm is enough`,
    );
  }

  const before = fingerprint(path);
  const db = shared
    ? new DatabaseSync(path, { readOnly: true, timeout: RECOVERY_TIMEOUT_MS })
    : openUnlocked(path);
  try {
    if (isEmpty(db))
      throw new LegionError('journal.missing', `${path}: is empty; no legion has written to it yet`);
    checkForm(db, path, JOURNAL_FORM);
  } catch (error) {
    db.close();
    throw error;
  }
  return { path, db, assertSteady: shared ? () => {} : () => assertUnchanged(path, before) };
}

/** Unlocked, only this tells that a daemon has begun to write: what was read may then be half old, half new. */
function assertUnchanged(path: string, before: string): void {
  if (fingerprint(path) !== before) {
    throw new LegionError(
      'journal.busy',
      `${path}: a daemon opened it while it was being read; open it again`,
    );
  }
}

/** A writer makes a `-wal` first and changes the file later, so one of these numbers moves before anything is torn. */
function fingerprint(path: string): string {
  const { ino, size, mtimeNs } = statSync(path, { bigint: true });
  return [ino, size, mtimeNs, sizeOf(`${path}-wal`)].join(' ');
}

function sizeOf(path: string): bigint | undefined {
  return statSync(path, { bigint: true, throwIfNoEntry: false })?.size;
}
