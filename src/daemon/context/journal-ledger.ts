/**
 * Sole writer of a legion's journal: appends events, folds them into the state and regularly saves
 * a snapshot of the state.
 */

import type { Clock } from '../../core/model/clock.ts';
import type { Event } from '../../core/model/event.ts';
import { LegionError } from '../../core/model/fault.ts';
import { foldEvents } from '../../core/state/evolve.ts';
import { fromSnapshot, toSnapshot } from '../../core/state/snapshot.ts';
import { createLegionState, type LegionState } from '../../core/state/state.ts';
import type { EventStamp, Journal } from '../../ports/journal.ts';
import type { AppendStep, JournalMoment, Ledger } from './ledger.ts';
import { AppendStaging } from './staging.ts';

/**
 * With fewer new events than this, no snapshot is saved, because folding them at startup takes only
 * about 5 ms.
 */
const SNAPSHOT_MIN_EVENTS = 1_000;

/**
 * Determines how often a large state is saved: a state of 12 MB is saved once per 12,000 events.
 * Folding one event takes about as long as reading this many characters of a snapshot.
 */
const SNAPSHOT_CHARACTERS_PER_EVENT = 1_000;

export interface LedgerOptions {
  /** Called if a snapshot cannot be saved, which only slows down the next start. */
  readonly onSnapshotFailure: (error: unknown) => void;
  /**
   * Resolves when a commit should stop waiting for more appends. If absent, a commit contains only
   * the appends that are queued when it starts.
   */
  readonly gather?: (() => Promise<unknown>) | undefined;
}

/** Takes over the legion. From then on, every append by the previous leader is refused. */
export async function openLedger(
  journal: Journal,
  clock: Clock,
  leader: string,
  options: LedgerOptions,
): Promise<Ledger> {
  const loaded = await loadState(journal);
  const ledger = new JournalLedger(journal, clock, loaded, options);
  await ledger.append([{ type: 'leader.elected', leader }]);
  // The snapshot is saved at once, because a daemon that soon crashes again would otherwise fold
  // the same events at every start.
  if (loaded.state.version - loaded.snapshot.version > SNAPSHOT_MIN_EVENTS) await ledger.saveSnapshot();
  return ledger;
}

interface WaitingAppend {
  readonly steps: readonly AppendStep[];
  /** Whether to check leadership even if there is nothing to write. */
  readonly confirms: boolean;
  readonly resolve: (events: readonly Event[]) => void;
  readonly reject: (error: unknown) => void;
}

class JournalLedger implements Ledger {
  readonly #journal: Journal;
  readonly #clock: Clock;
  readonly #options: LedgerOptions;
  readonly epoch: number;
  #state: LegionState;
  #snapshot: SavedSnapshot;
  readonly #listeners = new Set<(events: readonly Event[]) => void>();
  #waiting: WaitingAppend[] = [];
  /** Commits are sequential, because each expects the version that the previous one reached. */
  #isWriting = false;
  #written: Promise<void> = Promise.resolve();
  readonly #fence = new AbortController();

  constructor(journal: Journal, clock: Clock, { state, snapshot }: LoadedState, options: LedgerOptions) {
    this.#journal = journal;
    this.#clock = clock;
    this.#state = state;
    this.#snapshot = snapshot;
    this.#options = options;
    this.epoch = state.epoch + 1;
  }

  get state(): LegionState {
    return this.#state;
  }

  get version(): number {
    return this.#state.version;
  }

  read(after: number, through?: number): AsyncIterable<readonly Event[]> {
    return this.#journal.read(after, through);
  }

  get fenced(): AbortSignal {
    return this.#fence.signal;
  }

  append(...steps: readonly AppendStep[]): Promise<readonly Event[]> {
    return this.#enqueue(steps, false);
  }

  async confirm(): Promise<void> {
    await this.#enqueue([], true);
  }

  subscribe(listener: (events: readonly Event[]) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  async close(): Promise<void> {
    while (this.#isWriting) await this.#written;
    if (this.#state.version > this.#snapshot.version) await this.saveSnapshot();
    await this.#journal.close();
  }

  async saveSnapshot(): Promise<void> {
    const snapshot = toSnapshot(this.#state);
    // The position is updated even if the save fails: on a full disk, retrying with every append
    // would slow down all appends.
    this.#snapshot = { version: snapshot.version, size: snapshot.state.length };
    try {
      await this.#journal.saveSnapshot(snapshot);
    } catch (error) {
      this.#options.onSnapshotFailure(error);
    }
  }

  #enqueue(steps: readonly AppendStep[], confirms: boolean): Promise<readonly Event[]> {
    const { promise, resolve, reject } = Promise.withResolvers<readonly Event[]>();
    this.#waiting.push({ steps, confirms, resolve, reject });
    if (!this.#isWriting) this.#written = this.#writeAll();
    return promise;
  }

  async #writeAll(): Promise<void> {
    this.#isWriting = true;
    while (this.#waiting.length > 0) {
      await this.#options.gather?.();
      const group = this.#waiting;
      this.#waiting = [];
      await this.#writeGroup(group);
    }
    // No `await` has run since the queue was found empty, so no append can have been added in
    // between.
    this.#isWriting = false;
  }

  async #writeGroup(group: readonly WaitingAppend[]): Promise<void> {
    const stamp = { at: this.#clock.now(), epoch: this.epoch };
    const staging = new AppendStaging(this.#state, stamp);
    const staged = group.flatMap((append) => {
      try {
        return [{ append, events: staging.stage(append.steps) }];
      } catch (error) {
        append.reject(error);
        return [];
      }
    });
    try {
      if (staging.events.length > 0 || group.some(({ confirms }) => confirms))
        await this.#store(staging.events, stamp);
    } catch (error) {
      await this.#refuse(
        staged.map(({ append }) => append),
        error,
      );
      return;
    }
    for (const { append, events } of staged) this.#settle(append, events);
    if (this.#isSnapshotDue()) {
      // Lets the callers that are waiting for these events continue first, because saving a large
      // snapshot takes a while.
      await this.#options.gather?.();
      await this.saveSnapshot();
    }
  }

  /**
   * Handles a failed commit. A malformed event fails only its own append; the other appends are
   * written without it.
   */
  async #refuse(group: readonly WaitingAppend[], error: unknown): Promise<void> {
    const isOneToBlame = error instanceof LegionError && error.code === 'input.invalid' && group.length > 1;
    for (const append of group) {
      if (isOneToBlame) await this.#writeGroup([append]);
      else append.reject(error);
    }
  }

  async #store(events: readonly Event[], stamp: EventStamp): Promise<void> {
    try {
      await this.#journal.append(events, this.#state.version, stamp);
    } catch (error) {
      if (error instanceof LegionError && error.code === 'journal.fenced') this.#fence.abort(error);
      throw error;
    }
  }

  #settle({ resolve, reject }: WaitingAppend, events: readonly Event[]): void {
    try {
      if (events.length > 0) {
        this.#state = foldEvents(this.#state, events);
        for (const listener of this.#listeners) listener(events);
      }
      resolve(events);
    } catch (error) {
      reject(error);
    }
  }

  #isSnapshotDue(): boolean {
    const { version, size } = this.#snapshot;
    const every = Math.max(SNAPSHOT_MIN_EVENTS, size / SNAPSHOT_CHARACTERS_PER_EVENT);
    return this.#state.version - version >= every;
  }
}

export interface LoadedState {
  readonly state: LegionState;
  /** Snapshot that was used. Its version is 0 if no snapshot was usable. */
  readonly snapshot: SavedSnapshot;
}

interface SavedSnapshot {
  readonly version: number;
  /** Length of the snapshot's text in characters. */
  readonly size: number;
}

/**
 * Loads the state from the journal: the newest usable snapshot, then every later event. A missing,
 * torn or incompatible snapshot only costs time.
 */
export async function loadState(journal: Journal): Promise<LoadedState> {
  const saved = await journal.latestSnapshot();
  const begun = saved === undefined ? undefined : fromSnapshot(saved);
  const snapshot = {
    version: begun?.version ?? 0,
    size: begun === undefined ? 0 : (saved?.state.length ?? 0),
  };
  return { state: await foldJournal(journal, begun ?? createLegionState()), snapshot };
}

/** Folds the journal from its beginning up to the given moment. */
export async function loadStateAt(journal: Journal, moment: JournalMoment): Promise<LegionState> {
  let state = createLegionState();
  const through = moment.version ?? (await journal.version());
  for await (const batch of journal.read(0, through)) {
    const until = moment.time ?? Number.POSITIVE_INFINITY;
    const past = batch.findIndex(({ at }) => at > until);
    state = foldEvents(state, past === -1 ? batch : batch.slice(0, past));
    if (past !== -1) break;
  }
  return state;
}

async function foldJournal(journal: Journal, begun: LegionState): Promise<LegionState> {
  let state = begun;
  for await (const batch of journal.read(begun.version)) state = foldEvents(state, batch);
  return state;
}
