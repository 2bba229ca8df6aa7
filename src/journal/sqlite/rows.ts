/**
 * Defines the tables of a journal file, encodes events as rows, and reads the rows back in batches.
 * Refuses incomplete or unknown rows.
 */

import type { DatabaseSync } from 'node:sqlite';
import { crc32 } from 'node:zlib';
import {
  decodeEventBody,
  EVENT_TYPES,
  type Event,
  type EventBody,
  renderEventJsonSchema,
} from '../../core/model/event.ts';
import { LegionError } from '../../core/model/fault.ts';
import { createTransactionRunner, type DatabaseFormat } from '../../lib/sqlite.ts';

/** STRICT, so that a column never has a type that the reader does not expect. */
const TABLES = `
  CREATE TABLE events (
    seq INTEGER PRIMARY KEY,
    at REAL NOT NULL,
    epoch INTEGER NOT NULL,
    type TEXT NOT NULL,
    body TEXT NOT NULL,
    checksum INTEGER
  ) STRICT;
  CREATE TABLE snapshots (
    version INTEGER PRIMARY KEY,
    shape INTEGER NOT NULL,
    state TEXT NOT NULL
  ) STRICT;
`;

export const JOURNAL_FORMAT: DatabaseFormat = {
  area: 'journal',
  /** "LGNJ". */
  applicationId: 0x4c474e4a,
  // Not increased for the checksum column, which an older Legion neither reads nor writes.
  version: 1,
  tables: TABLES,
};

/**
 * Adds the checksum column to files of an older Legion. Their rows have no checksum and are
 * validated when read.
 */
export function addChecksumColumn(db: DatabaseSync): void {
  if (hasChecksumColumn(db)) return;
  createTransactionRunner(db)(() => {
    // Another process may have added the column in the meantime.
    if (!hasChecksumColumn(db)) db.exec('ALTER TABLE events ADD COLUMN checksum INTEGER');
  });
}

function hasChecksumColumn(db: DatabaseSync): boolean {
  const columns = db.prepare("SELECT 1 FROM pragma_table_info('events') WHERE name = 'checksum'");
  return columns.get() !== undefined;
}

/** An open journal file. */
export interface JournalConnection {
  readonly path: string;
  readonly db: DatabaseSync;
  /**
   * Throws `journal.busy` if the data just read may have changed during the read. In most modes,
   * locks prevent such changes.
   */
  readonly assertSteady: () => void;
}

/** An event ready to be written: validated and encoded. */
export interface NewRow {
  readonly type: string;
  readonly body: string;
  readonly checksum: number;
}

/** A row as stored. Rows written by an older Legion have no checksum. */
type StoredRow = readonly [
  seq: number,
  at: number,
  epoch: number,
  type: string,
  body: string,
  checksum: number | null,
];

/** Throws for a body that could not be read back exactly. `index` is its position in the append. */
export function encodeBody(body: EventBody, index: number): NewRow {
  const decoded = decodeEventBody(body);
  if (!decoded.ok) throw createInvalidEventError(index, decoded.fault.message);
  // The schema drops this key to protect prototypes, but part of an event must not disappear
  // silently.
  if (hasPrototypeKey(body))
    throw createInvalidEventError(index, 'event: the key "__proto__" is not allowed');
  // JSON escapes NUL and lone surrogates, which UTF-8 and some databases cannot store.
  const text = JSON.stringify(decoded.value);
  return { type: decoded.value.type, body: text, checksum: computeChecksum(text) };
}

/**
 * Skips validation if the checksum matches, because validation would take most of the startup time.
 */
function decodeRow(row: StoredRow): Event {
  const [seq, at, epoch, type, text, checksum] = row;
  const body = checksum === computeChecksum(text) ? (parseBody(row) as EventBody) : decodeStrictly(row);
  const isRetired = body.type === 'event.retired' && body.was === type;
  if (body.type !== type && !isRetired) throw createUnreadableError(row, `its body is of type ${body.type}`);
  return Object.assign(body, { seq, at, epoch });
}

function createCorruptError(seq: number, why: string): LegionError {
  return new LegionError('journal.corrupt', `event ${seq}: ${why}`);
}

function createInvalidEventError(index: number, why: string): LegionError {
  return new LegionError('input.invalid', `Event ${index + 1} of the append: ${why}`);
}

/** Validates rows that were written by an older Legion or another program, or edited by hand. */
function decodeStrictly(row: StoredRow): EventBody {
  const decoded = decodeEventBody(parseBody(row));
  if (!decoded.ok) throw createUnreadableError(row, decoded.fault.message);
  return decoded.value;
}

function parseBody(row: StoredRow): unknown {
  const [, , , , text] = row;
  try {
    return JSON.parse(text);
  } catch (error) {
    throw createUnreadableError(row, `its body cannot be parsed (${(error as Error).message})`);
  }
}

/** Reports an unknown type first, because the body of an unknown type cannot be judged. */
function createUnreadableError([seq, , , type]: StoredRow, why: string): LegionError {
  return EVENT_TYPES.has(type)
    ? createCorruptError(seq, why)
    : new LegionError('journal.newer', `event ${seq} has the unknown type ${JSON.stringify(type)}`);
}

/** Only called on validated bodies, whose depth the schema limits. */
function hasPrototypeKey(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return Object.hasOwn(value, '__proto__') || Object.values(value).some(hasPrototypeKey);
}

const CHECKSUM_SEED = crc32(renderEventJsonSchema());

/**
 * Computes a checksum over the body and its schema. A row that was changed outside Legion, or
 * written under another schema, does not match and is validated when it is read.
 */
export function computeChecksum(body: string): number {
  return crc32(body, CHECKSUM_SEED);
}

/** Events per batch: one or two milliseconds of work before yielding to the event loop. */
const BATCH_EVENTS = 500;

/**
 * Maximum size of the bodies in one batch, in bytes, so that large bodies do not fill the memory. A
 * single larger body is a batch of its own.
 */
const BATCH_BYTES = 4_000_000;

/** Returns one batch of events after `after`, up to `through`. Empty if there are no more. */
export type ReadBatch = (after: number, through: number) => readonly Event[];

/** Reads events in order, without gaps, and in batches that fit in memory. */
export function createBatchReader(db: DatabaseSync): ReadBatch {
  // `octet_length` reads only the row header, not the large bodies.
  const weigh = db.prepare('SELECT sum(octet_length(body)) AS bytes FROM events WHERE seq > ? AND seq <= ?');
  // A journal of an older Legion that is opened read-only has no checksum column.
  const checksum = hasChecksumColumn(db) ? 'checksum' : 'NULL';
  const select = db.prepare(
    `SELECT seq, at, epoch, type, body, ${checksum} FROM events WHERE seq > ? AND seq <= ? ORDER BY seq LIMIT ?`,
  );
  // Arrays cost half as much as row objects.
  select.setReturnArrays(true);

  function countBytes(after: number, through: number): number {
    const { bytes } = weigh.get(after, through) ?? {};
    return Number(bytes ?? 0); // null: there are no rows
  }

  function countFittingEvents(after: number): number {
    let events = BATCH_EVENTS;
    while (events > 1 && countBytes(after, after + events) > BATCH_BYTES) {
      events = Math.floor(events / 2);
    }
    return events;
  }

  return (after, through) => {
    // The table is STRICT, so the columns have these types. Reads all rows at once, because an open
    // statement would block WAL checkpoints while the caller processes the batch.
    const rows = select.all(after, through, countFittingEvents(after)) as unknown as StoredRow[];
    return rows.map((row, index) => {
      const [seq] = row;
      const expected = after + 1 + index;
      if (seq !== expected) throw createCorruptError(expected, `is missing. The next event is ${seq}`);
      return decodeRow(row);
    });
  };
}

export function createVersionReader(db: DatabaseSync): () => number {
  const select = db.prepare('SELECT max(seq) AS version FROM events');
  return () => {
    const { version } = select.get() ?? {};
    return Number(version ?? 0); // null: there is no event yet
  };
}

/** `through` may be beyond the end. */
export function refuseBadRange(after: number, through: number): void {
  if (!Number.isSafeInteger(after) || after < 0) {
    throw new LegionError('input.invalid', `after: expected a non-negative whole number, got ${after}`);
  }
  if (!Number.isSafeInteger(through)) {
    throw new LegionError('input.invalid', `through: expected a whole number, got ${through}`);
  }
}
