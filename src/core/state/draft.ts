/**
 * Creates a copy-on-write draft of the state, so that events can be tried without changing the
 * original.
 */
import type { LegionState } from './state.ts';

/**
 * Creates a draft whose cost grows only with the changes made to it. The draft is valid until the
 * original state changes.
 */
export function createDraftState(state: LegionState): LegionState {
  const { issues, workers, workersByIssue, present, failing, intents, messages, board, quotas, spending } =
    state;
  return {
    ...state,
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

/** Holds only the differences from `base` and iterates in the order of a full copy. */
class DraftMap<K, V> extends Map<K, V> {
  readonly #base: ReadonlyMap<K, V>;
  /** Deleted keys of the base. A key that is set again afterwards iterates last, as in any map. */
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
    const existed = this.has(key);
    super.delete(key);
    if (this.#base.has(key)) this.#deleted.add(key);
    return existed;
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
