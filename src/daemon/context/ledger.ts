/** The daemon's view of the journal: the folded state, and appends to it. */
import type { Event, EventBody } from '../../core/model/event.ts';
import type { LegionState } from '../../core/state/state.ts';

export interface Ledger {
  /** State after the last append. Read it again after every `await`. */
  readonly state: LegionState;
  readonly epoch: number;
  /** Sequence number of the last event. */
  readonly version: number;
  /**
   * Makes the events durable and folds them into the state. If it rejects, nothing was written or
   * folded. All steps form one append, and each step sees the state after the previous ones.
   * Concurrent appends share one commit, in call order.
   */
  append(...steps: readonly AppendStep[]): Promise<readonly Event[]>;
  /**
   * Rejects with `journal.fenced` if another daemon leads. Call it before every external effect:
   * the machine may have been suspended in the middle of the work, and another daemon may have
   * taken over since.
   */
  confirm(): Promise<void>;
  /** Aborted once another daemon leads. Nothing that this daemon does afterwards takes effect. */
  readonly fenced: AbortSignal;
  /**
   * Yields events after `after`, oldest first, in batches of bounded size, up to `through` if
   * given.
   */
  read(after: number, through?: number): AsyncIterable<readonly Event[]>;
  /** Calls `listener` after each append and returns an unsubscribe function. */
  subscribe(listener: (events: readonly Event[]) => void): () => void;
  close(): Promise<void>;
}

/**
 * Events, or a function that creates them from the state just before they are written, so that
 * values such as serial numbers are current. The function may be called more than once, because a
 * failed commit may be retried.
 */
export type AppendStep =
  | readonly EventBody[]
  | ((state: LegionState, staged: StagedEvents) => readonly EventBody[]);

/**
 * Events that are not written yet, but that the state passed to a step already includes. Listeners
 * have not received them.
 */
export interface StagedEvents {
  /** Events from earlier steps of the same append. */
  readonly own: readonly Event[];
  /** Events from other appends in the same commit. */
  readonly others: readonly Event[];
}

/**
 * Moment up to which the journal is folded: a version, a time, or the end of the journal if neither
 * is given.
 */
export interface JournalMoment {
  readonly version?: number;
  readonly time?: number;
}

/**
 * Leadership check of the fenced ports: `confirm` rejects if another daemon leads, because a daemon
 * that was replaced while suspended must not finish its pending writes. A write that was already
 * sent cannot be recalled.
 */
export type Leadership = Pick<Ledger, 'confirm'>;
