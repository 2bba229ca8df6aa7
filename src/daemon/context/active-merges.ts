/** Merges of this daemon: one of a repository at a time, and a halt lets one that has begun complete before it stops its worker. */
import type { IssueId } from '../../core/model/ids.ts';
import { createKeyedMutex } from '../../lib/async/mutex.ts';

export class MergesUnderWay {
  readonly #mutex = createKeyedMutex();
  readonly #running = new Map<IssueId, Promise<unknown>>();

  /** By the repository's path, so that each merge is checked against what the one before it left. */
  oneAtATime<T>(repository: string, work: () => Promise<T>): Promise<T> {
    return this.#mutex(repository, work);
  }

  has(issue: IssueId): boolean {
    return this.#running.has(issue);
  }

  /** Counts as begun before the first await of `work`. */
  async run<T>(issue: IssueId, work: () => Promise<T>): Promise<T> {
    const merge = work();
    this.#running.set(issue, merge);
    try {
      return await merge;
    } finally {
      if (this.#running.get(issue) === merge) this.#running.delete(issue);
    }
  }

  /** Resolves when every merge that runs now has ended, well or not. */
  async settled(): Promise<void> {
    await Promise.allSettled(this.#running.values());
  }
}
