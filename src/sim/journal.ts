/** A journal in memory that keeps the port's contract; it outlives every daemon of the simulation. */
import type { Event, EventBody } from '../core/model/event.ts';
import { LegionError } from '../core/model/fault.ts';
import type { Journal, Snapshot, Stamp } from '../journal/journal.ts';

const BATCH = 500;

export interface SimJournal extends Journal {
  readonly events: readonly Event[];
}

/** `appended` hears of everything at the moment it is durable. */
export function simJournal(appended: (events: readonly Event[]) => void): SimJournal {
  const events: Event[] = [];
  let snapshot: Snapshot | undefined;
  const listeners = new Set<() => void>();
  return {
    events,
    async append(bodies: readonly EventBody[], expected: number, stamp: Stamp) {
      const newest = events.at(-1)?.epoch ?? 0;
      if (newest > stamp.epoch) throw new LegionError('journal.fenced', `epoch ${newest} has written`);
      if (expected !== events.length) {
        throw new LegionError('journal.conflict', `the journal is at ${events.length}, not at ${expected}`);
      }
      const stamped = bodies.map(
        (body, index) => ({ ...body, ...stamp, seq: expected + index + 1 }) as Event,
      );
      events.push(...stamped);
      appended(stamped);
      for (const listener of listeners) listener();
      return events.length;
    },
    version: async () => events.length,
    async *read(after, through = Number.POSITIVE_INFINITY) {
      for (let from = after; from < Math.min(through, events.length); from += BATCH) {
        yield events.slice(from, Math.min(from + BATCH, through));
      }
    },
    async saveSnapshot(given) {
      snapshot = given;
    },
    latestSnapshot: async () => snapshot,
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    close: async () => undefined,
  };
}
