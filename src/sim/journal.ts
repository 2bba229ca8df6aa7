/**
 * Simulates a journal in memory that keeps the port's contract and outlives every simulated daemon.
 */

import type { Event, EventBody } from '../core/model/event.ts';
import { LegionError } from '../core/model/fault.ts';
import type { EventStamp, Journal, JournalSnapshot } from '../ports/journal.ts';

const BATCH_SIZE = 500;

export interface SimJournal extends Journal {
  readonly events: readonly Event[];
}

/** Calls `onAppended` for all events as soon as they are durable. */
export function createSimJournal(onAppended: (events: readonly Event[]) => void): SimJournal {
  const events: Event[] = [];
  let snapshot: JournalSnapshot | undefined;
  const listeners = new Set<() => void>();
  return {
    events,
    async append(bodies: readonly EventBody[], expected: number, stamp: EventStamp) {
      const newest = events.at(-1)?.epoch ?? 0;
      if (newest > stamp.epoch)
        throw new LegionError('journal.fenced', `epoch ${newest} has already written`);
      if (expected !== events.length) {
        throw new LegionError(
          'journal.conflict',
          `the journal is at position ${events.length}, not at ${expected}`,
        );
      }
      const stamped = bodies.map(
        (body, index) => ({ ...body, ...stamp, seq: expected + index + 1 }) as Event,
      );
      events.push(...stamped);
      onAppended(stamped);
      for (const listener of listeners) listener();
      return events.length;
    },
    version: async () => events.length,
    async *read(after, through = Number.POSITIVE_INFINITY) {
      for (let from = after; from < Math.min(through, events.length); from += BATCH_SIZE) {
        yield events.slice(from, Math.min(from + BATCH_SIZE, through));
      }
    },
    async saveSnapshot(saved) {
      snapshot = saved;
    },
    latestSnapshot: async () => snapshot,
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    close: async () => undefined,
  };
}
