/** The port to the issue tracker: `local`, `github` or `linear`. */

import type { ApiBudget } from '../core/model/api-budget.ts';
import type { Result } from '../core/model/fault.ts';
import type { IssueId } from '../core/model/ids.ts';
import type { Issue, IssuePriority, IssueSource } from '../core/model/issue.ts';
import type { LabelChange } from '../core/model/label.ts';
import type { Status } from '../core/model/status.ts';

/**
 * Contract, verified for every tracker by one conformance suite:
 *
 * - **A list is complete or an error.** If a page is incomplete, the call rejects, so an issue
 *   missing from a list is not on the board. Done and closed issues are included, because other
 *   issues may depend on them.
 * - **A rejected write may have happened.** Every write is idempotent: repeating a move, a label
 *   change or a `key` changes nothing and posts nothing twice, even from another process.
 * - **A write is atomic** if the tracker supports it in one request. Otherwise labels are written
 *   before the move, so that a partial write never leaves an issue in a new column with the old
 *   labels.
 * - **Labels that are not Legion's stay untouched**, and so does every label that a change does not
 *   mention.
 * - **Columns are written by the board's exact option name.** If a status has no column, the write
 *   rejects with `tracker.column_missing` before anything is written.
 * - **A closed issue stays closed** when Legion writes to it; only a person's `move` reopens it.
 *   Its column reads as an end status.
 * - **Order is well defined.** `enteredStatusAt` changes only with the column, and `commentsSince`
 *   called with that time returns every comment posted after it. `since` is inclusive and comments
 *   are sorted oldest first; use `id` to skip known ones.
 * - **Only trusted authors steer.** `mayDispatch` tells whether an issue's text may start a worker.
 *   Each comment tells whether its author may write to the repository. Other people's text is shown
 *   as quoted data and never acted upon.
 * - **An unknown issue** makes `read` return `undefined`. Every other call rejects with
 *   `tracker.issue_unknown`, even if the issue is only named as a blocker or parent.
 * - **Every failure is a coded `LegionError`** whose code tells whether it is retryable. A rate
 *   limit error contains the time at which the limit ends. An aborted call rejects with the
 *   signal's reason.
 */
export interface Tracker {
  readonly kind: IssueSource['kind'];

  list(signal: AbortSignal): Promise<readonly Issue[]>;
  read(issue: IssueId, signal: AbortSignal): Promise<Issue | undefined>;
  commentsSince(issue: IssueId, since: number, signal: AbortSignal): Promise<readonly IssueComment[]>;
  mayDispatch(issue: Issue): { readonly allowed: boolean; readonly why: string };

  /** Writes the status and the labels of one step together. */
  write(issue: IssueId, change: IssueChange): Promise<void>;
  /**
   * Posts a comment. `key` identifies it on its issue: a repeated key keeps the first comment and
   * posts nothing.
   */
  comment(issue: IssueId, key: string, text: string): Promise<void>;
  /**
   * Posts the comment `key`, or replaces its text if it exists. Writing the same text again sends
   * no request. A text longer than the service allows is cut and ends with a note.
   */
  putComment(issue: IssueId, key: string, text: string): Promise<void>;
  /**
   * Creates an issue. `key` identifies it on its board: a repeated key resolves to the first issue,
   * unchanged.
   */
  create(key: string, issue: NewIssue): Promise<IssueId>;
  /** Ends an issue without finishing it. A Done issue stays Done. */
  close(issue: IssueId): Promise<void>;
  /** Carries out a person's move, which also reopens a closed issue. */
  move(issue: IssueId, to: Status): Promise<void>;

  /** Links an address to the issue if the tracker supports it. Idempotent. */
  attach?(issue: IssueId, link: IssueLink): Promise<void>;

  /**
   * Reads posted issues in the format of the service's own API, without a request. Rejects only the
   * malformed issues; the result is `input.invalid` if no issue is usable. If this method is
   * absent, a post can only list the ids of issues.
   */
  posted?(data: unknown): Result<PostedIssues>;

  /**
   * Returns the statuses that had no column when the board was last read. Not implemented if a
   * board always has a column for every status.
   */
  missingColumns?(): readonly Status[];

  /**
   * Returns the remaining API budget, if the service has one. The board is read less often when it
   * is low.
   */
  budget?(): ApiBudget | undefined;
}

export interface IssueChange {
  readonly moveTo?: Status;
  readonly labels: LabelChange;
}

/** The posted fields of an issue; the other fields keep their last known values. */
export type PostedIssue = Pick<Issue, 'id' | 'title' | 'column' | 'labels'> & Partial<Issue>;

export interface PostedIssues {
  readonly issues: readonly PostedIssue[];
  readonly rejected: readonly RejectedEntry[];
}

/** A posted entry that cannot be used. */
export interface RejectedEntry {
  /** Path in the posted data, such as `issues[3]`. */
  readonly path: string;
  /** Id of the entry's issue, if it is readable. */
  readonly id?: string | undefined;
  /** Exact path of the error and its description. */
  readonly message: string;
}

export interface IssueLink {
  readonly url: string;
  readonly title: string;
}

export interface NewIssue {
  readonly title: string;
  readonly body: string;
  readonly status: Status;
  readonly labels: readonly string[];
  readonly priority: IssuePriority;
  readonly blockedBy: readonly IssueId[];
  readonly parent?: IssueId;
}

export interface IssueComment {
  /** Unique among all comments on this board. */
  readonly id: string;
  readonly author: string;
  /** Kind of author. Legion's own comments never count as a person's. */
  readonly by: 'legion' | 'writer' | 'outsider';
  readonly at: number;
  readonly text: string;
}
