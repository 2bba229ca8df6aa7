/** The port to where issues live: `local`, `github`, `linear`. */
import type { IssueId } from '../domain/ids.ts';
import type { Issue, IssueSource, Priority } from '../domain/issue.ts';
import type { LabelChange } from '../domain/label.ts';
import type { Status } from '../domain/status.ts';

/**
 * Contract, held by one conformance suite for every tracker:
 *
 * - **A list is complete or an error.** A partial page rejects; an issue that is not in a list is really not on the board.
 * - **A write may have happened although it rejected.** Every write is idempotent: the same move, the same labels or the
 *   same `key` again changes nothing and posts nothing twice.
 * - **Labels that are not Legion's are left alone**, and one `write` is one request where the tracker allows it.
 * - **Columns are written by the board's exact option name.** A status the board has no column for rejects with a coded
 *   error before anything is written.
 * - **Who may steer.** `mayDispatch` says whether an issue's text may start a worker at all; comments carry whether their
 *   author may write to the repository. Text of others is shown, fenced, and never acted upon.
 * - **Every failure is a coded `LegionError`**, retryable or not by type. A rate limit carries the time it ends.
 */
export interface Tracker {
  readonly kind: IssueSource['kind'];

  list(signal: AbortSignal): Promise<readonly Issue[]>;
  read(issue: IssueId, signal: AbortSignal): Promise<Issue | undefined>;
  commentsSince(issue: IssueId, since: number, signal: AbortSignal): Promise<readonly Comment[]>;
  mayDispatch(issue: Issue): { readonly allowed: boolean; readonly why: string };

  /** Status and labels of one step, together. */
  write(issue: IssueId, change: IssueChange): Promise<void>;
  /** `key` identifies the comment: a second post with it returns the first. */
  comment(issue: IssueId, key: string, text: string): Promise<void>;
  /** `key` identifies the new issue in the same way. */
  create(key: string, issue: NewIssue): Promise<IssueId>;
  close(issue: IssueId): Promise<void>;
}

export interface IssueChange {
  readonly moveTo?: Status;
  readonly labels: LabelChange;
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
  readonly author: string;
  /** Legion's own comments are not a person's word. */
  readonly by: 'legion' | 'writer' | 'outsider';
  readonly at: number;
  readonly text: string;
}
