/** Reading back: in order, without gaps, never more at once than memory should hold. */
import type { DatabaseSync } from 'node:sqlite';
import type { Event } from '../../core/model/event.ts';
import { LegionError } from '../../core/model/fault.ts';
import { corrupt, decodeRow, type StoredRow } from './row.ts';
import { hasChecksumColumn } from './schema.ts';

/** Events in one batch: one or two milliseconds of work, after which the event loop gets its turn. */
const BATCH_EVENTS = 500;

/** Bytes of bodies in one batch, unless a single one is larger: large bodies must not add up to the whole memory. */
const BATCH_BYTES = 4_000_000;

/** The events after `after` up to `through`, as many as one batch holds; none if there are no more. */
export type ReadBatch = (after: number, through: number) => readonly Event[];

export function batchReader(db: DatabaseSync): ReadBatch {
  // `octet_length` is in the head of a row: the large bodies themselves are not touched.
  const weigh = db.prepare('SELECT sum(octet_length(body)) AS bytes FROM events WHERE seq > ? AND seq <= ?');
  // A journal of an older Legion that is opened for reading only has no checksums.
  const checksum = hasChecksumColumn(db) ? 'checksum' : 'NULL';
  const select = db.prepare(
    `SELECT seq, at, epoch, type, body, ${checksum} FROM events WHERE seq > ? AND seq <= ? ORDER BY seq LIMIT ?`,
  );
  // Half the price of rows as objects.
  select.setReturnArrays(true);

  function bytesWithin(after: number, through: number): number {
    const { bytes } = weigh.get(after, through) ?? {};
    return Number(bytes ?? 0); // null: nothing is there
  }

  function eventsThatFit(after: number): number {
    let events = BATCH_EVENTS;
    while (events > 1 && bytesWithin(after, after + events) > BATCH_BYTES) {
      events = Math.floor(events / 2);
    }
    return events;
  }

  return (after, through) => {
    // The table is STRICT, so the columns have these types. All rows at once: no statement stays open to hold back the
    // log's checkpoints while the caller works on the batch.
    const rows = select.all(after, through, eventsThatFit(after)) as unknown as StoredRow[];
    return rows.map((row, index) => {
      const [seq] = row;
      const due = after + 1 + index;
      if (seq !== due) throw corrupt(due, `is missing; the next one there is ${seq}`);
      return decodeRow(row);
    });
  };
}

export function versionReader(db: DatabaseSync): () => number {
  const select = db.prepare('SELECT max(seq) AS version FROM events');
  return () => {
    const { version } = select.get() ?? {};
    return Number(version ?? 0); // null: there is no event yet
  };
}

/** `through` may lie beyond the end: what is there is read. */
export function refuseBadRange(after: number, through: number): void {
  if (!Number.isSafeInteger(after) || after < 0) {
    throw new LegionError('input.invalid', `after: expected a whole number from 0, got ${after}`);
  }
  if (!Number.isSafeInteger(through)) {
    throw new LegionError('input.invalid', `through: expected a whole number, got ${through}`);
  }
}
