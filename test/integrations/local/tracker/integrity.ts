/** Runs SQLite's integrity check on a file. */
import { DatabaseSync } from 'node:sqlite';

/**
 * Returns "ok" if SQLite finds no errors, otherwise the errors in the file's pages or references.
 */
export function integrity(path: string): string {
  const db = new DatabaseSync(path, { readOnly: true });
  try {
    const pages = db.prepare('PRAGMA integrity_check').all();
    const references = db.prepare('PRAGMA foreign_key_check').all();
    return [...pages, ...references].map((row) => Object.values(row).join()).join('; ');
  } finally {
    db.close();
  }
}
