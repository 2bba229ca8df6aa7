/** The board as it was last seen: a look at one issue replaces that one, a look at everything replaces all. */
import type { IssueId } from '../domain/ids.ts';
import type { SeenIssue } from '../swarm/observation.ts';

export class BoardView {
  #seen = new Map<IssueId, SeenIssue>();
  #isRead = false;
  #goodUntil = Number.POSITIVE_INFINITY;

  /** Whether the whole board has been read since the daemon began. */
  get isRead(): boolean {
    return this.#isRead;
  }

  /** What is seen here is too old to start anybody on after this. */
  get goodUntil(): number {
    return this.#goodUntil;
  }

  goodFor(readAt: number, ms: number): void {
    this.#goodUntil = readAt + ms;
  }

  get all(): readonly SeenIssue[] {
    return [...this.#seen.values()];
  }

  of(issue: IssueId): SeenIssue | undefined {
    return this.#seen.get(issue);
  }

  /** The board's own spelling of an id that a person may have written in another case. */
  spelled(issue: IssueId): IssueId {
    if (this.#seen.has(issue)) return issue;
    const wanted = issue.toLowerCase();
    const [found, another] = [...this.#seen.keys()].filter((id) => id.toLowerCase() === wanted);
    return found === undefined || another !== undefined ? issue : found;
  }

  replaceAll(board: readonly SeenIssue[]): void {
    this.#seen = new Map(board.map((seen) => [seen.issue.id, seen]));
    this.#isRead = true;
    // Just read; how long that is good for is said when the look is over.
    this.#goodUntil = Number.POSITIVE_INFINITY;
  }

  /** An issue that is no longer on the board is `undefined`. */
  replace(issue: IssueId, seen: SeenIssue | undefined): void {
    if (seen === undefined) this.#seen.delete(issue);
    else this.#seen.set(issue, seen);
  }
}
