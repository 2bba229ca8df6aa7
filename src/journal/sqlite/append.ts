/** Appending: the one way into the journal, fenced by version and epoch. */
import type { DatabaseSync, StatementSync } from 'node:sqlite';
import type { EventBody } from '../../core/model/event.ts';
import { LegionError } from '../../core/model/fault.ts';
import type { Transact } from '../../sqlite/transaction.ts';
import type { Stamp } from '../journal.ts';
import { encodeBody } from './row.ts';

export type Append = (bodies: readonly EventBody[], expected: number, stamp: Stamp) => number;

const INSERT = 'INSERT INTO events (seq, at, epoch, type, body, checksum) VALUES (?, ?, ?, ?, ?, ?)';

export function appender(db: DatabaseSync, transact: Transact): Append {
  // Epochs never fall from one row to the next (see below), so the last row also has the highest. It is asked for each time:
  // another process may have written since, and one step down a B-tree costs far less than the commit.
  const last = db.prepare('SELECT seq, epoch FROM events ORDER BY seq DESC LIMIT 1');
  // Prepared when it is first needed: a file that is opened for reading only may lack the column.
  let insert: StatementSync | undefined;

  function refuseStale(expected: number, epoch: number): void {
    const tail = last.get() as { seq: number; epoch: number } | undefined;
    const highest = tail?.epoch ?? 0;
    if (epoch < highest) {
      throw new LegionError('journal.fenced', `epoch ${epoch} was replaced by epoch ${highest}`);
    }
    const version = tail?.seq ?? 0;
    if (version !== expected) {
      throw new LegionError(
        'journal.conflict',
        `the journal is at version ${version}, the writer expected ${expected}`,
      );
    }
  }

  return (bodies, expected, stamp) => {
    refuseBadStamp(stamp);
    // Checked and turned into text before the lock is taken: others wait for the disk only.
    const rows = bodies.map(encodeBody);
    if (rows.length === 0) {
      refuseStale(expected, stamp.epoch);
      return expected;
    }
    return transact(() => {
      refuseStale(expected, stamp.epoch);
      insert ??= db.prepare(INSERT);
      let seq = expected;
      for (const row of rows) {
        seq += 1;
        insert.run(seq, stamp.at, stamp.epoch, row.type, row.body, row.checksum);
      }
      return seq;
    });
  };
}

function refuseBadStamp({ at, epoch }: Stamp): void {
  if (!Number.isFinite(at)) throw new LegionError('input.invalid', `stamp.at: expected a time, got ${at}`);
  if (!Number.isSafeInteger(epoch) || epoch < 0) {
    throw new LegionError('input.invalid', `stamp.epoch: expected a whole number from 0, got ${epoch}`);
  }
}
