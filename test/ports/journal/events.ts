/** Creates events for tests and reads a whole journal into one list. */
import type { Event, EventBody } from '../../../src/core/model/event.ts';
import type { Journal } from '../../../src/ports/journal.ts';

export const STAMP = { at: 1_700_000_000_000, epoch: 1 };

export function message(serial: number, body = `text ${serial}`): EventBody {
  return { type: 'message.queued', message: serial, to: 'somebody', key: `key-${serial}`, body };
}

/** Returns message events numbered `first` to `last`. */
export function messages(first: number, last: number): EventBody[] {
  return Array.from({ length: last - first + 1 }, (_, index) => message(first + index));
}

export async function readAll(journal: Journal, after = 0, through?: number): Promise<Event[]> {
  const all: Event[] = [];
  for await (const batch of journal.read(after, through)) all.push(...batch);
  return all;
}

export async function readSeqs(journal: Journal, after = 0, through?: number): Promise<number[]> {
  return (await readAll(journal, after, through)).map((event) => event.seq);
}
