/** A database file before it is opened: is it there, is it ours, may it be written. */
import { accessSync, closeSync, constants, existsSync, mkdirSync, openSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { pathToFileURL } from 'node:url';
import { LegionError } from '../core/model/fault.ts';
import type { Area } from './faults.ts';
import { checkForm, type Form, isEmpty } from './form.ts';

/** These files hold prompts, questions and what people write about their code: nobody else on the machine reads them. */
const FILE_MODE = 0o600;
const FOLDER_MODE = 0o700;

/** Makes an empty file where there is none; refuses, untouched, what is not ours or may not be written. */
export function prepareFile(path: string, form: Form): void {
  if (fileExists(path, form.area)) refuseOthersFile(path, form);
  else makeEmptyFile(path);
  // SQLite would open a read-only file without complaint and fail at the first write: a daemon must know at its start.
  accessSync(path, constants.W_OK);
  accessSync(dirname(path), constants.W_OK);
}

/** True if the file is there; anything but a file in its place is foreign. */
export function fileExists(path: string, area: Area): boolean {
  const stats = statSync(path, { throwIfNoEntry: false });
  if (stats === undefined) return false;
  if (!stats.isFile()) throw new LegionError(`${area}.foreign`, `${path}: is not a file`);
  return true;
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

/** Looks before opening in earnest, which would already create files beside a file that is not ours. */
function refuseOthersFile(path: string, form: Form): void {
  const db = openUnlocked(path);
  try {
    if (!isEmpty(db)) checkForm(db, path, form);
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
