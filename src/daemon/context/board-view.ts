/**
 * Keeps the latest known board. Reading one issue replaces only that issue; reading the whole board
 * replaces everything.
 */
import type { IssueId } from '../../core/model/ids.ts';
import { applyLabelChange, type LabelChange } from '../../core/model/label.ts';
import type { Mode, Phase } from '../../core/model/mode.ts';
import type { ObservedIssue } from '../../core/model/observed-issue.ts';
import type { Status } from '../../core/model/status.ts';
import { toPhase } from '../../core/model/status.ts';

/** A status change that Legion wrote. */
interface RecordedMove {
  readonly status: Status;
  /** The tracker's name for the status. */
  readonly column: string;
  readonly at: number;
}

/** How often the board is read if nothing wakes the loop, and why. */
export interface PollPace {
  readonly intervalMs: number;
  readonly reason: 'normal' | 'unchanged' | 'waiting_for_ci' | 'api_budget';
  /** Number of consecutive reads without a change. */
  readonly unchanged: number;
  /** Issues whose CI is running. */
  readonly waitingForCi: readonly IssueId[];
}

export class BoardView {
  #seen = new Map<IssueId, ObservedIssue>();
  /** The values of `#seen` as a list. Cached until the next change. */
  #all: readonly ObservedIssue[] | undefined;
  #isRead = false;
  #freshUntil = Number.POSITIVE_INFINITY;
  #readAt: number | undefined;
  #pace: PollPace | undefined;
  #revision = 0;

  /** Whether the whole board has been read since the daemon started. */
  get isRead(): boolean {
    return this.#isRead;
  }

  /** Time after which the data is too old to start workers. */
  get freshUntil(): number {
    return this.#freshUntil;
  }

  /** End of the last pass that read the whole board. */
  get readAt(): number | undefined {
    return this.#readAt;
  }

  /** How often the board is read. Undefined until the first read. */
  get pace(): PollPace | undefined {
    return this.#pace;
  }

  /** Increases on every read, even if nothing changed. */
  get revision(): number {
    return this.#revision;
  }

  markRead(readAt: number, ms: number, pace?: PollPace): void {
    this.#pace = pace;
    this.#readAt = readAt;
    this.#revision += 1;
    this.#freshUntil = readAt + ms;
  }

  get all(): readonly ObservedIssue[] {
    this.#all ??= [...this.#seen.values()];
    return this.#all;
  }

  find(issue: IssueId): ObservedIssue | undefined {
    return this.#seen.get(issue);
  }

  /**
   * Returns the board's spelling of an id, ignoring case. Unknown and ambiguous ids are returned
   * unchanged.
   */
  resolveId(issue: IssueId): IssueId {
    if (this.#seen.has(issue)) return issue;
    const wanted = issue.toLowerCase();
    const [found, another] = [...this.#seen.keys()].filter((id) => id.toLowerCase() === wanted);
    return found === undefined || another !== undefined ? issue : found;
  }

  replaceAll(board: readonly ObservedIssue[]): void {
    this.#seen = new Map(board.map((observed) => [observed.issue.id, observed]));
    this.#all = undefined;
    this.#isRead = true;
    this.#revision += 1;
    // The board was just read, so it is fresh. `markRead` sets the deadline at the end of the pass.
    this.#freshUntil = Number.POSITIVE_INFINITY;
  }

  /** Applies Legion's own write, which would otherwise be missing until the next read. */
  recordWrite(issue: IssueId, change: LabelChange, move?: RecordedMove): void {
    const observed = this.#seen.get(issue);
    if (observed === undefined) return;
    // Sorted like the local board, so that the next read changes nothing visible.
    const labels = [...applyLabelChange(new Set(observed.issue.labels), change)].sort();
    const moved = move && { column: move.column, enteredStatusAt: move.at };
    const status = move?.status ?? observed.status;
    this.replace(issue, { ...observed, status, issue: { ...observed.issue, labels, ...moved } });
  }

  /** Pass `undefined` for an issue that left the board. */
  replace(issue: IssueId, observed: ObservedIssue | undefined): void {
    this.#revision += 1;
    this.#all = undefined;
    if (observed === undefined) this.#seen.delete(issue);
    else this.#seen.set(issue, observed);
  }
}

/**
 * Returns a worker's phase according to the board as last seen. That is accurate enough for display
 * and for callers that check the phase again.
 */
export function resolveIssuePhase(
  { boardView }: { readonly boardView: BoardView },
  issue: IssueId,
  mode: Mode,
): Phase {
  return toPhase(mode, boardView.find(issue)?.status);
}
