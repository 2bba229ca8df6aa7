/** SQLite's own opinion of a file. */
import { DatabaseSync } from 'node:sqlite';

/** "ok", or what is wrong with its pages or its references. */
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
