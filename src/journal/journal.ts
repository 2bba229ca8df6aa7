/** The durable log of one legion: the truth about workers, attempts, reports, messages, counters and decisions. */
import type { Event, EventBody } from '../core/model/event.ts';

/**
 * Contract, held by one conformance suite for every implementation:
 *
 * - **Append is all or nothing.** When `append` resolves, its events are on stable storage under the sequence numbers
 *   `expected + 1 …`; when it rejects, none of them is.
 * - **A stale writer is refused.** If a higher epoch has been written, `append` rejects with `journal.fenced`. Else, if
 *   `expected` is not the present version, it rejects with `journal.conflict`. Nothing is written in either case.
 * - **An empty append writes nothing** but is refused in the same way: a writer may ask so whether it is still the leader.
 * - **Sequence numbers begin at 1 and have no gaps.** An empty journal is at version 0.
 * - **What is read is what was appended.** A body that its schema refuses, or that could not be read back exactly, rejects
 *   with `input.invalid`; keys its schema does not know are not kept.
 * - **What is read is valid.** A row that cannot be read back rejects with `journal.corrupt` and names the row; one of an
 *   unknown type or format rejects with `journal.newer`. Nothing is skipped silently, and nothing is repaired.
 * - **A subscription is only a hint.** It says "there is more"; it carries no event, may be dropped or doubled, and a
 *   listener that throws disturbs nobody. Appends of other handles and processes need not be hinted at at all: whoever
 *   depends on them reads again from time to time.
 * - **A snapshot is a cache.** Losing every snapshot loses nothing; only the newest is ever read, none that is ahead of the
 *   events, and none that is not to the last byte what was saved.
 * - **Every failure is a coded `LegionError`.** After `close`, every call rejects with `journal.closed` (`subscribe` throws
 *   it); closing twice is allowed.
 */
export interface Journal {
  /** Appends after `expected`, which must be the present version; resolves to the new version. */
  append(events: readonly EventBody[], expected: number, stamp: Stamp): Promise<number>;

  /** The sequence number of the last event. */
  version(): Promise<number>;

  /** Everything after `after`, in order, in batches of bounded size, up to `through` where given, else until none is left. */
  read(after: number, through?: number): AsyncIterable<readonly Event[]>;

  /** Rejects with `input.invalid` a snapshot ahead of the events, or a state that is no well-formed text. */
  saveSnapshot(snapshot: Snapshot): Promise<void>;
  latestSnapshot(): Promise<Snapshot | undefined>;

  /** Calls `listener` when there may be more to read; returns the way to stop that. */
  subscribe(listener: () => void): () => void;

  close(): Promise<void>;
}

/** When the events happened and under which leader; one append is one moment. */
export interface Stamp {
  readonly at: number;
  readonly epoch: number;
}

/** A folded state, opaque to the journal, that stands for all events up to and including `version`. */
export interface Snapshot {
  readonly version: number;
  /** Which shape of state this is; another shape is not read but folded anew. */
  readonly shape: number;
  /** Well-formed Unicode without NUL, as `JSON.stringify` makes it. */
  readonly state: string;
}
