/** The one writer of a legion's journal: it appends, folds what it appended, and keeps a snapshot near the end. */

import type { Event } from '../../core/model/event.ts';
import { LegionError } from '../../core/model/fault.ts';
import { fold } from '../../core/state/evolve.ts';
import { toSnapshot } from '../../core/state/snapshot.ts';
import type { Swarm } from '../../core/state/state.ts';
import type { Clock } from '../../domain/clock.ts';
import type { Journal, Stamp } from '../../journal/journal.ts';
import { type LoadedSwarm, loadSwarm, type SavedSnapshot } from '../load-swarm.ts';
import { type AppendStep, Staging } from './staging.ts';

/** Fewer events are not worth a snapshot: folding them at a start takes some 5 ms. */
const SNAPSHOT_MIN_EVENTS = 1_000;

/**
 * One more event between two snapshots for so many characters of the state: folding an event at a start takes about as long
 * as reading so much of a snapshot, and a state of 12 MB is written once in 12,000 events.
 */
const SNAPSHOT_CHARACTERS_PER_EVENT = 1_000;

export interface Ledger {
  /** The state after the last append; read it again after every `await`. */
  readonly swarm: Swarm;
  readonly epoch: number;
  /** The sequence number of the last event. */
  readonly version: number;
  /**
   * Makes the events durable and folds them; when it rejects, neither has happened. All steps are one append, and each sees
   * the state after those before it. Appends that wait at the same time share one commit, in the order of their calls.
   */
  append(...steps: readonly AppendStep[]): Promise<readonly Event[]>;
  /**
   * Rejects with `journal.fenced` where another leads by now. Asked before anything is done outside: a machine that was
   * suspended wakes up in the middle of what it had in hand.
   */
  confirm(): Promise<void>;
  /** Aborted once it is known that another leads; nothing this one does counts any more. */
  readonly fenced: AbortSignal;
  /** Events after `after`, oldest first, in batches of bounded size, up to `through` where given. */
  read(after: number, through?: number): AsyncIterable<readonly Event[]>;
  /** Calls `listener` after each append; returns the way to stop that. */
  subscribe(listener: (events: readonly Event[]) => void): () => void;
  close(): Promise<void>;
}

export interface LedgerOptions {
  /** Called with a snapshot that could not be saved, which costs time at the next start and nothing else. */
  readonly onSnapshotFailure: (error: unknown) => void;
  /** Resolves when a commit should no longer wait for more appends; without it, it takes what waits at that moment. */
  readonly gather?: (() => Promise<unknown>) | undefined;
}

/** Takes the legion over: whoever led it before is fenced from here on, and its next append is refused for good. */
export async function openLedger(
  journal: Journal,
  clock: Clock,
  leader: string,
  options: LedgerOptions,
): Promise<Ledger> {
  const loaded = await loadSwarm(journal);
  const ledger = new JournalLedger(journal, clock, loaded, options);
  await ledger.append([{ type: 'leader.elected', leader }]);
  // Right away: a daemon that dies again soon would fold the same events at each start.
  if (loaded.swarm.version - loaded.snapshot.version > SNAPSHOT_MIN_EVENTS) await ledger.saveSnapshot();
  return ledger;
}

interface WaitingAppend {
  readonly steps: readonly AppendStep[];
  /** Asks whether this leader still leads, also where nothing is to be written. */
  readonly confirms: boolean;
  readonly resolve: (events: readonly Event[]) => void;
  readonly reject: (error: unknown) => void;
}

class JournalLedger implements Ledger {
  readonly #journal: Journal;
  readonly #clock: Clock;
  readonly #options: LedgerOptions;
  readonly epoch: number;
  #swarm: Swarm;
  #snapshot: SavedSnapshot;
  readonly #listeners = new Set<(events: readonly Event[]) => void>();
  #waiting: WaitingAppend[] = [];
  /** Commits go one after the other: each expects the version the one before it has reached. */
  #isWriting = false;
  #written: Promise<void> = Promise.resolve();
  readonly #fence = new AbortController();

  constructor(journal: Journal, clock: Clock, { swarm, snapshot }: LoadedSwarm, options: LedgerOptions) {
    this.#journal = journal;
    this.#clock = clock;
    this.#swarm = swarm;
    this.#snapshot = snapshot;
    this.#options = options;
    this.epoch = swarm.epoch + 1;
  }

  get swarm(): Swarm {
    return this.#swarm;
  }

  get version(): number {
    return this.#swarm.version;
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
    if (this.#swarm.version > this.#snapshot.version) await this.saveSnapshot();
    await this.#journal.close();
  }

  async saveSnapshot(): Promise<void> {
    const snapshot = toSnapshot(this.#swarm);
    // Even a save that failed is not tried again at once: a full disk would make every append slow.
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
    // Without an `await` since the queue was seen empty, so that no append can fall between the two.
    this.#isWriting = false;
  }

  async #writeGroup(group: readonly WaitingAppend[]): Promise<void> {
    const stamp = { at: this.#clock.now(), epoch: this.epoch };
    const staging = new Staging(this.#swarm, stamp);
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
      // Whoever waits for these events goes first: a large snapshot takes a while.
      await this.#options.gather?.();
      await this.saveSnapshot();
    }
  }

  /** A malformed event is its own append's fault: the others are written without it. */
  async #refuse(group: readonly WaitingAppend[], error: unknown): Promise<void> {
    const isOneToBlame = error instanceof LegionError && error.code === 'input.invalid' && group.length > 1;
    for (const append of group) {
      if (isOneToBlame) await this.#writeGroup([append]);
      else append.reject(error);
    }
  }

  async #store(events: readonly Event[], stamp: Stamp): Promise<void> {
    try {
      await this.#journal.append(events, this.#swarm.version, stamp);
    } catch (error) {
      if (error instanceof LegionError && error.code === 'journal.fenced') this.#fence.abort(error);
      throw error;
    }
  }

  #settle({ resolve, reject }: WaitingAppend, events: readonly Event[]): void {
    try {
      if (events.length > 0) {
        this.#swarm = fold(this.#swarm, events);
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
    return this.#swarm.version - version >= every;
  }
}
