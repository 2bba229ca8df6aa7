/** Decides which outboxes are read when: all of them at the start and rarely afterwards, else those in which something may wait. */

import { rm, rmdir, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { workerId } from '../../core/model/ids.ts';
import { ASKED_FLAG, DONE_FLAG } from '../../protocol/outbox.ts';
import { presentWorkers } from '../../swarm/workers.ts';
import type { Speech } from '../daemon.ts';
import { tellOfSetAside } from '../worker-api/outbox-import/set-aside.ts';
import type { World } from '../world.ts';
import { type FoundOutbox, outboxesBelow } from './find-entries.ts';
import { type OutboxReading, takeInOutbox, toUnusable } from './take-in-outbox.ts';

/** In the legion's state folder: the outboxes of all attempts. */
const OUTBOXES = 'outbox';

const TROUBLE = 'outbox';

/** Finds what an attempt wrote after its end, which no watch and no other reading looks for. */
const FULL_WALK_EVERY_MS = 10 * 60_000;

type IntakeWorld = Pick<World, 'folders' | 'ledger' | 'troubles' | 'clock'>;

interface Reading {
  readonly result: Promise<number>;
  /** Begins when this one is over, for everybody who asked meanwhile. */
  next?: Promise<number>;
}

/** Methods resolve to how many messages were taken in, and never reject. */
export class OutboxIntake {
  readonly #world: IntakeWorld;
  readonly #speech: Speech;
  readonly #root: string;
  readonly #readings = new Map<string, Reading>();
  /** Outboxes with messages that could not be taken in yet, and why where that is known. */
  readonly #unfinished = new Map<string, unknown>();
  /** Outboxes with messages that were set aside and that nobody has removed yet. */
  readonly #setAside = new Set<string>();
  #lastFullWalk = Number.NEGATIVE_INFINITY;
  #rootTrouble: unknown;

  constructor(world: IntakeWorld, speech: Speech) {
    this.#world = world;
    this.#speech = speech;
    this.#root = join(world.folders.state, OUTBOXES);
  }

  /** Part of every look at the board: the outboxes of live attempts, unfinished ones, and all when a full walk is due. */
  async takeInDue(): Promise<number> {
    if (this.#world.clock.monotonic() - this.#lastFullWalk >= FULL_WALK_EVERY_MS) return this.takeInAll();
    const taken = await this.#takeInEach([...this.#liveOutboxes(), ...this.#unfinished.keys()]);
    // A person may have removed them.
    await this.#tell();
    return taken;
  }

  /** Every outbox there is, whoever it belongs to; those of ended attempts in which nothing is left are removed. */
  async takeInAll(): Promise<number> {
    this.#lastFullWalk = this.#world.clock.monotonic();
    let found: readonly FoundOutbox[] = [];
    try {
      found = await outboxesBelow(this.#root);
      this.#rootTrouble = undefined;
    } catch (error) {
      this.#rootTrouble = toUnusable(this.#root, error);
    }
    for (const { folder, hasSetAside } of found) if (hasSetAside) this.#setAside.add(folder);
    const waiting = found.filter(({ needsReading }) => needsReading).map(({ folder }) => folder);
    const taken = await this.#takeInEach([...waiting, ...this.#unfinished.keys()]);
    await this.#clearEnded(found);
    await this.#tell();
    return taken;
  }

  /** One outbox, read after this call: a reading under way may have missed what its caller knows of. */
  takeInOne(folder: string): Promise<number> {
    const reading = this.#readings.get(folder);
    if (reading === undefined) return this.#begin(folder);
    reading.next ??= reading.result.then(() => this.takeInOne(folder));
    return reading.next;
  }

  async #takeInEach(folders: readonly string[]): Promise<number> {
    let taken = 0;
    for (const folder of new Set(folders)) taken += await this.takeInOne(folder);
    return taken;
  }

  /** Never twice at once for the same outbox: both would deliver the same messages. */
  #begin(folder: string): Promise<number> {
    const result = takeInOutbox(folder, this.#speech)
      .then((reading) => this.#note(folder, reading))
      .finally(() => this.#readings.delete(folder));
    this.#readings.set(folder, { result });
    return result;
  }

  async #note(folder: string, { taken, hasSetAside, hasMore, trouble }: OutboxReading): Promise<number> {
    if (hasMore || trouble !== undefined) this.#unfinished.set(folder, trouble);
    else this.#unfinished.delete(folder);
    if (hasSetAside) this.#setAside.add(folder);
    await this.#tell();
    return taken;
  }

  async #tell(): Promise<void> {
    const { troubles } = this.#world;
    try {
      for (const folder of await tellOfSetAside(troubles, [...this.#setAside])) this.#setAside.delete(folder);
    } catch (error) {
      this.#rootTrouble ??= toUnusable(this.#root, error);
    }
    const trouble = this.#rootTrouble ?? [...this.#unfinished.values()].find((each) => each !== undefined);
    if (trouble === undefined) troubles.clear(TROUBLE);
    else troubles.raise(TROUBLE, trouble);
  }

  #liveOutboxes(): string[] {
    const { ledger, folders } = this.#world;
    return presentWorkers(ledger.swarm).map(([, { issue, mode, attempt }]) =>
      folders.outbox(workerId(issue, mode), attempt),
    );
  }

  async #clearEnded(found: readonly FoundOutbox[]): Promise<void> {
    const live = new Set(this.#liveOutboxes().flatMap((folder) => [folder, dirname(folder)]));
    for (const { folder, hasSetAside } of found) {
      const isEmpty = !hasSetAside && !this.#setAside.has(folder) && !this.#unfinished.has(folder);
      if (isEmpty && !live.has(folder)) await clearOutbox(folder, this.#world.clock.now());
    }
  }
}

/** An attempt that was declared over may still be writing; so long after its last change nobody is. */
const UNCHANGED_FOR_MS = 60 * 60_000;

/** Anything else than flags keeps the folder. Never rejects: a folder that stays costs a reading now and then. */
async function clearOutbox(folder: string, now: number): Promise<void> {
  try {
    if (now - (await stat(folder)).mtimeMs < UNCHANGED_FOR_MS) return;
    await rm(join(folder, DONE_FLAG), { force: true });
    await rm(join(folder, ASKED_FLAG), { force: true });
    await rmdir(folder);
  } catch {
    // Something else lies in it, or somebody else was faster.
  }
}
