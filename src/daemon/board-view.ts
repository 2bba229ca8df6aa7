/** The board as it was last seen: a look at one issue replaces that one, a look at everything replaces all. */
import type { IssueId } from '../core/model/ids.ts';
import type { Status } from '../core/model/status.ts';
import type { SeenIssue } from '../core/state/observation.ts';
import { applyLabelChange, type LabelChange } from '../domain/label.ts';

/** A move that Legion has written. */
interface NotedMove {
  readonly status: Status;
  /** Its name for the status. */
  readonly column: string;
  readonly at: number;
}

export class BoardView {
  #seen = new Map<IssueId, SeenIssue>();
  /** The same as a list, until something is seen again. */
  #all: readonly SeenIssue[] | undefined;
  #isRead = false;
  #goodUntil = Number.POSITIVE_INFINITY;
  #readAt: number | undefined;
  #revision = 0;

  /** Whether the whole board has been read since the daemon began. */
  get isRead(): boolean {
    return this.#isRead;
  }

  /** What is seen here is too old to start anybody on after this. */
  get goodUntil(): number {
    return this.#goodUntil;
  }

  /** When the whole board was last read, as of the end of that look. */
  get readAt(): number | undefined {
    return this.#readAt;
  }

  /** Grows whenever something was seen, be it the same as before. */
  get revision(): number {
    return this.#revision;
  }

  goodFor(readAt: number, ms: number): void {
    this.#readAt = readAt;
    this.#revision += 1;
    this.#goodUntil = readAt + ms;
  }

  get all(): readonly SeenIssue[] {
    this.#all ??= [...this.#seen.values()];
    return this.#all;
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
    this.#all = undefined;
    this.#isRead = true;
    this.#revision += 1;
    // Just read; how long that is good for is said when the look is over.
    this.#goodUntil = Number.POSITIVE_INFINITY;
  }

  /** Shows what Legion has just written to an issue; otherwise that would be missing until it is read again. */
  noteWrite(issue: IssueId, change: LabelChange, move?: NotedMove): void {
    const seen = this.#seen.get(issue);
    if (seen === undefined) return;
    // In the local board's order, so that the next read changes nothing that a person sees.
    const labels = [...applyLabelChange(new Set(seen.issue.labels), change)].sort();
    const moved = move && { column: move.column, enteredStatusAt: move.at };
    const status = move?.status ?? seen.status;
    this.replace(issue, { ...seen, status, issue: { ...seen.issue, labels, ...moved } });
  }

  /** An issue that is no longer on the board is `undefined`. */
  replace(issue: IssueId, seen: SeenIssue | undefined): void {
    this.#revision += 1;
    this.#all = undefined;
    if (seen === undefined) this.#seen.delete(issue);
    else this.#seen.set(issue, seen);
  }
}
