/** The port through which the CLI, the HTTP API and the dashboard change a local board. */
import type { IssueId } from '../core/model/ids.ts';
import type { IssuePriority } from '../core/model/issue.ts';
import type { Tracker } from './tracker.ts';

/**
 * Contract, in addition to the tracker's:
 *
 * - **Calls carry a person's authority.** They may change any label and reopen a closed issue; a
 *   comment is stored under its author. A person's new issues go through `create`, with a key made
 *   by the interface they used.
 * - **Each call is one transaction** and idempotent, except that every `say` posts a comment.
 * - **No edit is lost.** `edit` rejects with `issue.changed` and writes nothing if an expected
 *   value has changed.
 * - **Blockers form no cycle.** A blocker that would create a cycle is rejected with
 *   `tracker.cycle`, which lists the cycle. A split issue counts as blocked by its sub-issues.
 * - **A hint is not an event.** `subscribe` reports an issue that may have changed, after a change
 *   through this handle. Writes by other processes are only found by reading. A failing listener
 *   affects neither the writer nor other listeners.
 */
export interface LocalBoard extends Tracker {
  edit(issue: IssueId, edit: IssueEdit): Promise<void>;
  relabel(issue: IssueId, change: AnyLabelChange): Promise<void>;
  say(issue: IssueId, author: string, text: string): Promise<void>;

  subscribe(listener: (issue: IssueId) => void): () => void;
  /**
   * Closes the file. A second call does nothing; any other call afterwards rejects with
   * `tracker.closed`.
   */
  dispose(): Promise<void>;
}

/** Absent fields stay unchanged. */
export interface IssueEdit extends IssueText {
  readonly labels?: AnyLabelChange | undefined;
  readonly blockers?: BlockerChange | undefined;
  /**
   * The values the edit started from. If one has changed, the edit is rejected with
   * `issue.changed`.
   */
  readonly expected?: IssueText | undefined;
}

/** The fields in which one edit could overwrite another. */
export interface IssueText {
  readonly title?: string | undefined;
  readonly body?: string | undefined;
  readonly priority?: IssuePriority | undefined;
}

/** An issue may be in at most one of the lists. */
interface BlockerChange {
  readonly add: readonly IssueId[];
  readonly remove: readonly IssueId[];
}

/** A label may be in at most one of the lists. */
export interface AnyLabelChange {
  readonly add: readonly string[];
  readonly remove: readonly string[];
}
