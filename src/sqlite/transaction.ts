/** All-or-nothing writing on one connection. */
import type { DatabaseSync } from 'node:sqlite';

export type Transact = <T>(work: () => T) => T;

export function transactor(db: DatabaseSync): Transact {
  // IMMEDIATE: a deferred BEGIN that reads and then writes fails at once, whatever the busy timeout, if anyone wrote between.
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
      // SQLite has already rolled back after some failures (a full disk), and then has nothing left to roll back.
      if (db.isTransaction) rollback.run();
      throw error;
    }
  };
}
