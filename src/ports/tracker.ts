/** The port to where issues live: `local`, `github`, `linear`. */
import type { ApiBudget } from '../core/model/api-budget.ts';
import type { Result } from '../core/model/fault.ts';
import type { IssueId } from '../core/model/ids.ts';
import type { Status } from '../core/model/status.ts';
import type { Issue, IssueSource, Priority } from '../domain/issue.ts';
import type { LabelChange } from '../domain/label.ts';

/**
 * Contract, held by one conformance suite for every tracker:
 *
 * - **A list is complete or an error.** A partial page rejects; an issue that is not in a list is really not on the board.
 *   Done and closed issues are in it: somebody may be waiting for them.
 * - **A write may have happened although it rejected.** Every write is idempotent: the same move, the same labels or the
 *   same `key` again changes nothing and posts nothing twice, however often and from wherever it comes.
 * - **A write is whole or not at all** where the tracker allows one request; otherwise labels before the move, so that a
 *   half of it is never an issue in a new column with the labels of the old.
 * - **Labels that are not Legion's are left alone**, and so is every label a change does not name.
 * - **Columns are written by the board's exact option name.** A status the board has no column for rejects with
 *   `tracker.column_missing` before anything is written.
 * - **A closed issue stays closed** whatever Legion writes to it; only a person's `move` opens it again. Its column
 *   reads as an end.
 * - **Order can be told.** `enteredStatusAt` changes only when the column does; a comment posted after that moment is among
 *   `commentsSince` it. `since` is inclusive and comments come oldest first: `id` tells those already seen.
 * - **Who may steer.** `mayDispatch` says whether an issue's text may start a worker at all; comments carry whether their
 *   author may write to the repository. Text of others is shown, fenced, and never acted upon.
 * - **An unknown issue** is `undefined` to `read` and `tracker.issue_unknown` to everything else; a blocker or a parent too.
 * - **Every failure is a coded `LegionError`**, retryable or not by type. A rate limit carries the time it ends. An aborted
 *   call rejects with the reason of its signal.
 */
export interface Tracker {
  readonly kind: IssueSource['kind'];

  list(signal: AbortSignal): Promise<readonly Issue[]>;
  read(issue: IssueId, signal: AbortSignal): Promise<Issue | undefined>;
  commentsSince(issue: IssueId, since: number, signal: AbortSignal): Promise<readonly Comment[]>;
  mayDispatch(issue: Issue): { readonly allowed: boolean; readonly why: string };

  /** Status and labels of one step, together. */
  write(issue: IssueId, change: IssueChange): Promise<void>;
  /** `key` identifies the comment on its issue: with the same one again, the first stays and nothing is posted. */
  comment(issue: IssueId, key: string, text: string): Promise<void>;
  /** `key` identifies the new issue on its board: with the same one again, this resolves to the first, unchanged. */
  create(key: string, issue: NewIssue): Promise<IssueId>;
  /** Ends an issue without finishing it; one that is Done stays Done. */
  close(issue: IssueId): Promise<void>;
  /** A person's move, carried out for them: it opens a closed issue, too. */
  move(issue: IssueId, to: Status): Promise<void>;

  /** Shows an address at the issue, where the tracker has a place for it; the same one again changes nothing. */
  attach?(issue: IssueId, link: Link): Promise<void>;

  /**
   * Reads posted issues as the service's own API gives them, without a request. A malformed one is rejected alone;
   * `input.invalid` where nothing is usable. Where this is absent, posted issues are only named.
   */
  posted?(data: unknown): Result<PostedIssues>;

  /** Statuses that the board had no column for when it was last read; absent where a board always has them all. */
  missingColumns?(): readonly Status[];

  /** What may still be asked for, where the service counts: the board is read less often while there is little. */
  budget?(): ApiBudget | undefined;
}

export interface IssueChange {
  readonly moveTo?: Status;
  readonly labels: LabelChange;
}

/** What was posted of an issue; the rest is as it was last seen. */
export type PostedIssue = Pick<Issue, 'id' | 'title' | 'column' | 'labels'> & Partial<Issue>;

export interface PostedIssues {
  readonly issues: readonly PostedIssue[];
  readonly rejected: readonly RejectedEntry[];
}

/** A posted entry that is not usable. */
export interface RejectedEntry {
  /** Where it is in the posted data, such as `issues[3]`. */
  readonly path: string;
  /** The id of its issue, where that can be read. */
  readonly id?: string | undefined;
  /** The exact place and what is wrong there. */
  readonly message: string;
}

export interface Link {
  readonly url: string;
  readonly title: string;
}

export interface NewIssue {
  readonly title: string;
  readonly body: string;
  readonly status: Status;
  readonly labels: readonly string[];
  readonly priority: Priority;
  readonly blockedBy: readonly IssueId[];
  readonly parent?: IssueId;
}

export interface Comment {
  /** Unlike any other comment's on this board. */
  readonly id: string;
  readonly author: string;
  /** Legion's own comments are not a person's word. */
  readonly by: 'legion' | 'writer' | 'outsider';
  readonly at: number;
  readonly text: string;
}
