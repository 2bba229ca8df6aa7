/** How an event is written as a row of text, and read back only if it is whole and known. */
import { decodeEventBody, EVENT_TYPES, type Event, type EventBody } from '../../core/model/event.ts';
import { LegionError } from '../../core/model/fault.ts';
import { checksumOf } from './checksum.ts';

/** An event that is about to be written: checked, and turned into text. */
export interface NewRow {
  readonly type: string;
  readonly body: string;
  readonly checksum: number;
}

/** A row as it is read; rows of an older Legion have no checksum. */
export type StoredRow = readonly [
  seq: number,
  at: number,
  epoch: number,
  type: string,
  body: string,
  checksum: number | null,
];

/** Refuses what could not be read back exactly; `index` is the body's place in its append. */
export function encodeBody(body: EventBody, index: number): NewRow {
  const decoded = decodeEventBody(body);
  if (!decoded.ok) throw invalid(index, decoded.fault.message);
  // The schema drops this key to protect prototypes; a part of an event must not disappear without a word.
  if (hasPrototypeKey(body)) throw invalid(index, 'event: has a key "__proto__", which cannot be kept');
  // JSON escapes NUL and lone surrogates, which neither UTF-8 nor every store could hold.
  const text = JSON.stringify(decoded.value);
  return { type: decoded.value.type, body: text, checksum: checksumOf(text) };
}

/** A row that still is what was checked before it was written needs no second check, which would cost most of a start. */
export function decodeRow(row: StoredRow): Event {
  const [seq, at, epoch, type, text, checksum] = row;
  const body = checksum === checksumOf(text) ? (parseBody(row) as EventBody) : decodeStrictly(row);
  const isRetired = body.type === 'event.retired' && body.was === type;
  if (body.type !== type && !isRetired) throw unreadable(row, `its body is of type ${body.type}`);
  return Object.assign(body, { seq, at, epoch });
}

export function corrupt(seq: number, why: string): LegionError {
  return new LegionError('journal.corrupt', `event ${seq}: ${why}`);
}

function invalid(index: number, why: string): LegionError {
  return new LegionError('input.invalid', `number ${index + 1} of the append: ${why}`);
}

/** For rows of an older Legion, of other programs, and of people who have mended one by hand. */
function decodeStrictly(row: StoredRow): EventBody {
  const decoded = decodeEventBody(parseBody(row));
  if (!decoded.ok) throw unreadable(row, decoded.fault.message);
  return decoded.value;
}

function parseBody(row: StoredRow): unknown {
  const [, , , , text] = row;
  try {
    return JSON.parse(text);
  } catch (error) {
    throw unreadable(row, `its body cannot be parsed (${(error as Error).message})`);
  }
}

/** Of an unknown type nothing else can be said, not even that its body is wrong. */
function unreadable([seq, , , type]: StoredRow, why: string): LegionError {
  return EVENT_TYPES.has(type)
    ? corrupt(seq, why)
    : new LegionError('journal.newer', `event ${seq} is of the unknown type ${JSON.stringify(type)}`);
}

/** Only asked of what the schema has let through, which bounds how deep this goes. */
function hasPrototypeKey(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return Object.hasOwn(value, '__proto__') || Object.values(value).some(hasPrototypeKey);
}
