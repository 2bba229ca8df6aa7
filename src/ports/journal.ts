/**
 * The port to the durable log of one legion: the source of truth for workers, attempts, reports,
 * messages, counters and decisions.
 */
import type { Event, EventBody } from '../core/model/event.ts';

/**
 * Contract, verified by one conformance suite for every implementation:
 *
 * - **Append is all or nothing.** When `append` resolves, its events are on stable storage with the
 *   sequence numbers `expected + 1 …`. When it rejects, none of them is.
 * - **A stale writer is rejected.** If a higher epoch has been written, `append` rejects with
 *   `journal.fenced`. Otherwise, if `expected` is not the current version, it rejects with
 *   `journal.conflict`. Nothing is written in either case.
 * - **An empty append writes nothing** but is rejected in the same way. A writer can use it to
 *   check whether it is still the leader.
 * - **Sequence numbers begin at 1 and have no gaps.** An empty journal is at version 0.
 * - **Reads return what was appended.** `append` rejects with `input.invalid` if a body does not
 *   match its schema or could not be read back exactly. Keys unknown to the schema are dropped.
 * - **Reads are validated.** A read rejects with `journal.corrupt` and the row's number if a row
 *   cannot be decoded, and with `journal.newer` if a type or format is unknown. Nothing is skipped
 *   silently, and nothing is repaired.
 * - **A subscription is only a hint** that there may be more to read. It contains no event and may
 *   be dropped or duplicated. A listener that throws does not affect others. Appends by other
 *   handles and processes need not trigger a hint, so readers that depend on them must poll.
 * - **A snapshot is a cache.** Losing every snapshot loses nothing. Only the newest is read, never
 *   one that is ahead of the events, and never one that differs by even a byte from what was saved.
 * - **Every failure is a coded `LegionError`.** After `close`, every call rejects with
 *   `journal.closed` (`subscribe` throws it). Closing twice is allowed.
 */
export interface Journal {
  /** Appends after `expected`, which must be the current version. Resolves to the new version. */
  append(events: readonly EventBody[], expected: number, stamp: EventStamp): Promise<number>;

  /** Returns the sequence number of the last event. */
  version(): Promise<number>;

  /** Yields all events after `after` in order and in bounded batches, up to `through` if given. */
  read(after: number, through?: number): AsyncIterable<readonly Event[]>;

  /**
   * Rejects with `input.invalid` if the snapshot is ahead of the events or its state is not
   * well-formed text.
   */
  saveSnapshot(snapshot: JournalSnapshot): Promise<void>;
  latestSnapshot(): Promise<JournalSnapshot | undefined>;

  /** Calls `listener` when there may be more to read. Returns a function that unsubscribes. */
  subscribe(listener: () => void): () => void;

  close(): Promise<void>;
}

/** Time and leader of the events. All events of one append share one stamp. */
export interface EventStamp {
  readonly at: number;
  readonly epoch: number;
}

/**
 * A folded state, opaque to the journal, that represents all events up to and including `version`.
 */
export interface JournalSnapshot {
  readonly version: number;
  /**
   * Version of the state's shape. A snapshot of another shape is ignored, and its state is folded
   * from the events again.
   */
  readonly shape: number;
  /** Well-formed Unicode without NUL, as `JSON.stringify` produces it. */
  readonly state: string;
}
