/** The one writer of a legion's journal: it appends, folds what it appended, and keeps a snapshot near the end. */
import type { Clock } from '../domain/clock.ts';
import type { Event, EventBody } from '../domain/event.ts';
import { LegionError } from '../domain/fault.ts';
import type { Journal, Stamp } from '../journal/journal.ts';
import { fold } from '../swarm/evolve.ts';
import { toSnapshot } from '../swarm/snapshot.ts';
import type { Swarm } from '../swarm/state.ts';
import { loadSwarm } from './load-swarm.ts';

/** A start folds at most this many events: some 20 ms, while saving one more often would cost more than it spares. */
const SNAPSHOT_EVERY_EVENTS = 1_000;

type Bodies = readonly EventBody[] | ((swarm: Swarm) => readonly EventBody[]);

export interface Ledger {
  /** The state after the last append; read it again after every `await`. */
  readonly swarm: Swarm;
  readonly epoch: number;
  /** The sequence number of the last event. */
  readonly version: number;
  /**
   * Makes the events durable and folds them; when it rejects, neither has happened. A function is called when it is this
   * append's turn, with the state then: whatever it takes from the state, such as a serial, is still so when it is written.
   */
  append(bodies: Bodies): Promise<readonly Event[]>;
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

/**
 * Takes the legion over: whoever led it before is fenced from here on, and its next append is refused for good.
 * `onSnapshotTrouble` hears of a snapshot that could not be saved, which costs time at the next start and nothing else.
 */
export async function openLedger(
  journal: Journal,
  clock: Clock,
  leader: string,
  onSnapshotTrouble: (error: unknown) => void,
): Promise<Ledger> {
  const swarm = await loadSwarm(journal);
  const ledger = new JournalLedger(journal, clock, swarm, onSnapshotTrouble);
  await ledger.append([{ type: 'leader.elected', leader }]);
  return ledger;
}

class JournalLedger implements Ledger {
  readonly #journal: Journal;
  readonly #clock: Clock;
  readonly #onSnapshotTrouble: (error: unknown) => void;
  readonly epoch: number;
  #swarm: Swarm;
  #snapshotAt: number;
  readonly #listeners = new Set<(events: readonly Event[]) => void>();
  /** Appends go one after the other: each expects the version the one before it has reached. */
  #queue: Promise<void> = Promise.resolve();
  readonly #fence = new AbortController();

  constructor(journal: Journal, clock: Clock, swarm: Swarm, onSnapshotTrouble: (error: unknown) => void) {
    this.#journal = journal;
    this.#clock = clock;
    this.#swarm = swarm;
    this.#snapshotAt = swarm.version;
    this.#onSnapshotTrouble = onSnapshotTrouble;
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

  append(bodies: Bodies): Promise<readonly Event[]> {
    return this.#inTurn(() => this.#write(bodies));
  }

  confirm(): Promise<void> {
    return this.#inTurn(() => this.#store([], this.#stamp()));
  }

  subscribe(listener: (events: readonly Event[]) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  async close(): Promise<void> {
    await this.#queue;
    if (this.#swarm.version > this.#snapshotAt) await this.#save();
    await this.#journal.close();
  }

  #inTurn<T>(work: () => Promise<T>): Promise<T> {
    const done = this.#queue.then(work);
    // A failed append is its caller's to handle; those behind it go on.
    this.#queue = done.then(
      () => undefined,
      () => undefined,
    );
    return done;
  }

  #stamp(): Stamp {
    return { at: this.#clock.now(), epoch: this.epoch };
  }

  async #store(bodies: readonly EventBody[], stamp: Stamp): Promise<void> {
    try {
      await this.#journal.append(bodies, this.#swarm.version, stamp);
    } catch (error) {
      if (error instanceof LegionError && error.code === 'journal.fenced') this.#fence.abort(error);
      throw error;
    }
  }

  async #write(given: Bodies): Promise<readonly Event[]> {
    const bodies = typeof given === 'function' ? given(this.#swarm) : given;
    if (bodies.length === 0) return [];
    const stamp = this.#stamp();
    const before = this.#swarm.version;
    await this.#store(bodies, stamp);
    const events = bodies.map((body, index) => ({ ...body, ...stamp, seq: before + index + 1 }));
    this.#swarm = fold(this.#swarm, events);
    if (this.#swarm.version - this.#snapshotAt >= SNAPSHOT_EVERY_EVENTS) await this.#save();
    for (const listener of this.#listeners) listener(events);
    return events;
  }

  async #save(): Promise<void> {
    // Even a save that failed is not tried again at once: a full disk would make every append slow.
    this.#snapshotAt = this.#swarm.version;
    try {
      await this.#journal.saveSnapshot(toSnapshot(this.#swarm));
    } catch (error) {
      this.#onSnapshotTrouble(error);
    }
  }
}
