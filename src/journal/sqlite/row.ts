/** How an event is written as a row of text, and read back only if it is whole and known. */
import { decodeEventBody, EVENT_TYPES, type Event, type EventBody } from '../../domain/event.ts';
import { LegionError } from '../../domain/fault.ts';
import type { Result } from '../../domain/result.ts';

export interface Row {
  readonly seq: number;
  readonly at: number;
  readonly epoch: number;
  readonly type: string;
  readonly body: string;
}

/** Refuses what could not be read back exactly; `index` is the body's place in its append. */
export function encodeBody(body: EventBody, index: number): Pick<Row, 'type' | 'body'> {
  const decoded = decodeEventBody(body);
  if (!decoded.ok) throw invalid(index, decoded.fault.message);
  // The schema drops this key to protect prototypes; a part of an event must not disappear without a word.
  if (hasPrototypeKey(body)) throw invalid(index, 'event: has a key "__proto__", which cannot be kept');
  // JSON escapes NUL and lone surrogates, which neither UTF-8 nor every store could hold.
  return { type: decoded.value.type, body: JSON.stringify(decoded.value) };
}

export function decodeRow(row: Row): Event {
  const decoded = decodeText(row);
  if (!decoded.ok) throw unreadable(row, decoded.fault.message);
  if (decoded.value.type !== row.type) throw unreadable(row, `its body is of type ${decoded.value.type}`);
  return Object.assign(decoded.value, { seq: row.seq, at: row.at, epoch: row.epoch });
}

export function corrupt(seq: number, why: string): LegionError {
  return new LegionError('journal.corrupt', `event ${seq}: ${why}`);
}

function invalid(index: number, why: string): LegionError {
  return new LegionError('input.invalid', `number ${index + 1} of the append: ${why}`);
}

function decodeText(row: Row): Result<EventBody> {
  try {
    return decodeEventBody(JSON.parse(row.body));
  } catch (error) {
    throw unreadable(row, `its body cannot be parsed (${(error as Error).message})`);
  }
}

/** Of an unknown type nothing else can be said, not even that its body is wrong. */
function unreadable({ seq, type }: Row, why: string): LegionError {
  return EVENT_TYPES.has(type)
    ? corrupt(seq, why)
    : new LegionError('journal.newer', `event ${seq} is of the unknown type ${JSON.stringify(type)}`);
}

/** Only asked of what the schema has let through, which bounds how deep this goes. */
function hasPrototypeKey(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return Object.hasOwn(value, '__proto__') || Object.values(value).some(hasPrototypeKey);
}
