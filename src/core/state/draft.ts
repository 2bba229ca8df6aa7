/** A state to try events on: the state it was made from stays as it is. */
import type { Swarm } from './state.ts';

/** Costs what is changed in it, not what is in it; good until the state it was made from changes. */
export function draftSwarm(swarm: Swarm): Swarm {
  const { issues, workers, workersByIssue, present, failing, intents, messages, board, quotas, spending } =
    swarm;
  return {
    ...swarm,
    issues: new DraftMap(issues),
    workers: new DraftMap(workers),
    workersByIssue: new DraftMap(workersByIssue),
    present: new Set(present),
    failing: new Set(failing),
    intents: new DraftMap(intents),
    messages: new DraftMap(messages),
    board: new DraftMap(board),
    quotas: new DraftMap(quotas),
    spending: new DraftMap(spending),
  };
}

/** Holds only what differs from `base`; iterates in the order of a whole copy. */
class DraftMap<K, V> extends Map<K, V> {
  readonly #base: ReadonlyMap<K, V>;
  /** Keys of the base that were deleted; one that was set again since comes last, as in any map. */
  readonly #deleted = new Set<K>();

  constructor(base: ReadonlyMap<K, V>) {
    super();
    this.#base = base;
  }

  override get size(): number {
    let added = 0;
    for (const key of super.keys()) if (!this.#isInherited(key)) added += 1;
    return this.#base.size - this.#deleted.size + added;
  }

  override get(key: K): V | undefined {
    return super.has(key) ? super.get(key) : this.#isInherited(key) ? this.#base.get(key) : undefined;
  }

  override has(key: K): boolean {
    return super.has(key) || this.#isInherited(key);
  }

  override delete(key: K): boolean {
    const isThere = this.has(key);
    super.delete(key);
    if (this.#base.has(key)) this.#deleted.add(key);
    return isThere;
  }

  override *entries(): MapIterator<[K, V]> {
    for (const [key, value] of this.#base) {
      if (!this.#deleted.has(key)) yield [key, super.has(key) ? (super.get(key) as V) : value];
    }
    for (const [key, value] of super.entries()) if (!this.#isInherited(key)) yield [key, value];
  }

  override *keys(): MapIterator<K> {
    for (const [key] of this.entries()) yield key;
  }

  override *values(): MapIterator<V> {
    for (const [, value] of this.entries()) yield value;
  }

  override [Symbol.iterator](): MapIterator<[K, V]> {
    return this.entries();
  }

  override forEach(each: (value: V, key: K, map: Map<K, V>) => void): void {
    for (const [key, value] of this.entries()) each(value, key, this);
  }

  #isInherited(key: K): boolean {
    return this.#base.has(key) && !this.#deleted.has(key);
  }
}
