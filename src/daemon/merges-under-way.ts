/** Merges that the forge is carrying out at this moment: a halt lets them complete before it stops their workers. */
import type { IssueId } from '../domain/ids.ts';

export class MergesUnderWay {
  readonly #running = new Map<IssueId, Promise<unknown>>();

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
