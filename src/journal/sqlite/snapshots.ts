/** Snapshots: a cache of folded states beside the events, each under a seal, so that a damaged one is never taken for a state. */
import { createHash } from 'node:crypto';
import type { DatabaseSync } from 'node:sqlite';
import { LegionError } from '../../core/model/fault.ts';
import type { Transact } from '../../sqlite/transaction.ts';
import type { Snapshot } from '../journal.ts';

/** The newest is the one that is read; one more is there for when that one is damaged. */
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
  const newestFirst = db.prepare(
    'SELECT version, shape, state FROM snapshots WHERE version <= ? ORDER BY version DESC LIMIT ?',
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
        insert.run(snapshot.version, snapshot.shape, sealed(snapshot));
        prune.run(KEPT);
      });
    },
    latest() {
      // One by one: a state may be megabytes, and the newest is nearly always whole.
      for (const row of newestFirst.iterate(version(), KEPT)) {
        const snapshot = unsealed(row as unknown as Snapshot);
        if (snapshot !== undefined) return snapshot;
      }
      return undefined;
    },
  };
}

/**
 * Events are checked by their schemas when they are read. A state is not, and one that has lost a worker would start it a second
 * time: so it counts only if it is to the last byte what was saved.
 */
function sealed(snapshot: Snapshot): string {
  return `${sealOf(snapshot)}\n${snapshot.state}`;
}

/** Undefined for one that is damaged, or has no seal: that costs a longer fold and nothing else. */
function unsealed({ version, shape, state: text }: Snapshot): Snapshot | undefined {
  const end = text.indexOf('\n');
  const snapshot = { version, shape, state: text.slice(end + 1) };
  return text.slice(0, Math.max(end, 0)) === sealOf(snapshot) ? snapshot : undefined;
}

function sealOf({ version, shape, state }: Snapshot): string {
  return createHash('sha256').update(`${version} ${shape} `).update(state).digest('hex');
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
