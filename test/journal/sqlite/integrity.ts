/** Runs SQLite's integrity check on a file. */
import { DatabaseSync } from 'node:sqlite';

/** Returns "ok" or the problems. */
export function integrity(path: string): string {
  const db = new DatabaseSync(path, { readOnly: true });
  try {
    return db
      .prepare('PRAGMA integrity_check')
      .all()
      .map((row) => Object.values(row).join())
      .join('; ');
  } finally {
    db.close();
  }
}
