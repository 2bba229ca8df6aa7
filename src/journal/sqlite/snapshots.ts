/**
 * Stores snapshots of folded states beside the events, each with a hash, so that a damaged one is
 * never used.
 */
import { createHash } from 'node:crypto';
import type { DatabaseSync } from 'node:sqlite';
import { LegionError } from '../../core/model/fault.ts';
import type { RunTransaction } from '../../lib/sqlite.ts';
import type { JournalSnapshot } from '../../ports/journal.ts';

/** The newest snapshot is read. The one before it is the fallback if the newest is damaged. */
const KEPT_SNAPSHOTS = 2;

export interface SnapshotStore {
  save(snapshot: JournalSnapshot): void;
  latest(): JournalSnapshot | undefined;
}

export function createSnapshotStore(
  db: DatabaseSync,
  transact: RunTransaction,
  version: () => number,
): SnapshotStore {
  const insert = db.prepare('INSERT OR REPLACE INTO snapshots (version, shape, state) VALUES (?, ?, ?)');
  const prune = db.prepare(
    'DELETE FROM snapshots WHERE version NOT IN (SELECT version FROM snapshots ORDER BY version DESC LIMIT ?)',
  );
  // Skips snapshots that are ahead of the events. They exist only if rows were deleted to repair
  // the file, and they cover events that are gone.
  const newestFirst = db.prepare(
    'SELECT version, shape, state FROM snapshots WHERE version <= ? ORDER BY version DESC LIMIT ?',
  );

  return {
    save(snapshot) {
      refuseInexact(snapshot);
      transact(() => {
        const current = version();
        if (snapshot.version > current) {
          throw new LegionError(
            'input.invalid',
            `The snapshot is at version ${snapshot.version}, but the journal is at ${current}`,
          );
        }
        insert.run(snapshot.version, snapshot.shape, sealSnapshot(snapshot));
        prune.run(KEPT_SNAPSHOTS);
      });
    },
    latest() {
      // Reads snapshots one by one, because a state may be megabytes and the newest is nearly
      // always intact.
      for (const row of newestFirst.iterate(version(), KEPT_SNAPSHOTS)) {
        const snapshot = unsealSnapshot(row as unknown as JournalSnapshot);
        if (snapshot !== undefined) return snapshot;
      }
      return undefined;
    },
  };
}

/**
 * Prefixes the state with its hash. Events are validated by schema when read, but a state is not,
 * and if a worker were missing from the state it would be started twice. So a snapshot is used only
 * if it is byte-identical to what was saved.
 */
function sealSnapshot(snapshot: JournalSnapshot): string {
  return `${computeSeal(snapshot)}\n${snapshot.state}`;
}

/**
 * Returns undefined if the snapshot is damaged or has no hash. The only consequence is a longer
 * replay.
 */
function unsealSnapshot({ version, shape, state: text }: JournalSnapshot): JournalSnapshot | undefined {
  const end = text.indexOf('\n');
  const snapshot = { version, shape, state: text.slice(end + 1) };
  return text.slice(0, Math.max(end, 0)) === computeSeal(snapshot) ? snapshot : undefined;
}

function computeSeal({ version, shape, state }: JournalSnapshot): string {
  return createHash('sha256').update(`${version} ${shape} `).update(state).digest('hex');
}

/** Throws unless the state is text that every database can store unchanged. */
function refuseInexact({ version, shape, state }: JournalSnapshot): void {
  for (const [name, value] of Object.entries({ version, shape })) {
    if (!Number.isSafeInteger(value) || value < 0) {
      throw new LegionError(
        'input.invalid',
        `snapshot.${name}: expected a non-negative whole number, got ${value}`,
      );
    }
  }
  if (!state.isWellFormed() || state.includes('\0')) {
    throw new LegionError(
      'input.invalid',
      'snapshot.state: contains a lone surrogate or a NUL. JSON.stringify escapes both',
    );
  }
}
