/** An open journal file, and how to look at one without leaving a trace. */
import { statSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { pathToFileURL } from 'node:url';
import { LegionError } from '../../domain/fault.ts';

export interface Connection {
  readonly path: string;
  readonly db: DatabaseSync;
  /** Throws `journal.busy` if what was just read may have been changed underneath, which locks rule out in most modes. */
  readonly assertSteady: () => void;
}

/**
 * Sees the main file only, takes no lock and creates no file beside it: SQLite's `immutable`. Never through `fs.open`:
 * closing any descriptor of a file drops the locks the whole process holds on it, those of another connection included.
 */
export function openUnlocked(path: string): DatabaseSync {
  const url = pathToFileURL(path);
  url.searchParams.set('immutable', '1');
  return new DatabaseSync(url, { readOnly: true });
}

/** True if the file is there; anything but a file in its place is foreign. */
export function fileExists(path: string): boolean {
  const stats = statSync(path, { throwIfNoEntry: false });
  if (stats === undefined) return false;
  if (!stats.isFile()) throw new LegionError('journal.foreign', `${path}: is not a file`);
  return true;
}
