/**
 * Tracks the merges that this daemon is running. Allows one merge per repository at a time, and
 * lets a halt wait for a running merge before it stops the merge worker.
 */
import type { IssueId } from '../../core/model/ids.ts';
import { createKeyedMutex } from '../../lib/async/mutex.ts';

export class ActiveMerges {
  readonly #mutex = createKeyedMutex();
  readonly #running = new Map<IssueId, Promise<unknown>>();

  /**
   * Runs one merge at a time per repository, so that each merge is checked against the result of
   * the previous one. `repository` is the repository's path.
   */
  runExclusive<T>(repository: string, work: () => Promise<T>): Promise<T> {
    return this.#mutex(repository, work);
  }

  has(issue: IssueId): boolean {
    return this.#running.has(issue);
  }

  /**
   * Runs `work` as a merge of the issue. The merge is registered as running even before the first
   * `await` of `work`.
   */
  async run<T>(issue: IssueId, work: () => Promise<T>): Promise<T> {
    const merge = work();
    this.#running.set(issue, merge);
    try {
      return await merge;
    } finally {
      if (this.#running.get(issue) === merge) this.#running.delete(issue);
    }
  }

  /** Resolves when every merge that is currently running has ended, successfully or not. */
  async waitForAll(): Promise<void> {
    await Promise.allSettled(this.#running.values());
  }
}
