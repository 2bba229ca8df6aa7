/** Snapshots: a cache of folded states beside the events. */
import type { DatabaseSync } from 'node:sqlite';
import { LegionError } from '../../domain/fault.ts';
import type { Transact } from '../../sqlite/transaction.ts';
import type { Snapshot } from '../journal.ts';

/** The newest is the one that is read; one more lets a person compare two when a fold is in doubt. */
const KEPT = 2;

export interface SnapshotShelf {
  save(snapshot: Snapshot): void;
  latest(): Snapshot | undefined;
}

export function snapshotShelf(db: DatabaseSync, transact: Transact, version: () => number): SnapshotShelf {
  const insert = db.prepare('INSERT OR REPLACE INTO snapshots (version, shape, state) VALUES (?, ?, ?)');
  const prune = db.prepare(
    'DELETE FROM snapshots WHERE version NOT IN (SELECT version FROM snapshots ORDER BY version DESC LIMIT ?)',
  );
  // One ahead of the events can only be there if rows were cut off to repair the file; it stands for what is gone.
  const newest = db.prepare(
    'SELECT version, shape, state FROM snapshots WHERE version <= ? ORDER BY version DESC LIMIT 1',
  );

  return {
    save(snapshot) {
      refuseInexact(snapshot);
      transact(() => {
        const present = version();
        if (snapshot.version > present) {
          throw new LegionError(
            'input.invalid',
            `snapshot of version ${snapshot.version}, but the journal is at ${present}`,
          );
        }
        insert.run(snapshot.version, snapshot.shape, snapshot.state);
        prune.run(KEPT);
      });
    },
    latest() {
      const row = newest.get(version()) as Snapshot | undefined;
      return row === undefined ? undefined : { version: row.version, shape: row.shape, state: row.state };
    },
  };
}

/** The state is kept as it is, so it must be text that every store can keep. */
function refuseInexact({ version, shape, state }: Snapshot): void {
  for (const [name, value] of Object.entries({ version, shape })) {
    if (!Number.isSafeInteger(value) || value < 0) {
      throw new LegionError(
        'input.invalid',
        `snapshot.${name}: expected a whole number from 0, got ${value}`,
      );
    }
  }
  if (!state.isWellFormed() || state.includes('\0')) {
    throw new LegionError(
      'input.invalid',
      'snapshot.state: holds a lone surrogate or a NUL; JSON.stringify escapes both',
    );
  }
}
