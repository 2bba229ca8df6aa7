/** What a person does to a board that lives with Legion: the one interface behind command line, HTTP and dashboard. */
import type { IssueId } from '../core/model/ids.ts';
import type { Priority } from '../domain/issue.ts';
import type { Tracker } from './tracker.ts';

/**
 * Contract, beyond the tracker's:
 *
 * - **A person's word is a person's.** What comes in here may touch any label and open a closed issue again; a comment is
 *   kept as its author's. New issues of a person go through `create`, with a key made by the door they came in by.
 * - **Each call is one transaction**, and to do the same again changes nothing, except that each `say` is a comment.
 * - **No edit is lost.** `edit` refuses with `issue.changed` if somebody else changed what it expects, and writes nothing.
 * - **Nobody waits in a circle.** A blocker that would close one is refused with `tracker.cycle`, which names it; a split
 *   issue waits for its sub-issues.
 * - **A hint is not an event.** `subscribe` names an issue that may have changed, after the change, through this handle;
 *   what other processes write is found by reading. Listeners disturb neither the writer nor each other.
 */
export interface LocalBoard extends Tracker {
  edit(issue: IssueId, edit: IssueEdit): Promise<void>;
  relabel(issue: IssueId, change: AnyLabelChange): Promise<void>;
  say(issue: IssueId, author: string, text: string): Promise<void>;

  subscribe(listener: (issue: IssueId) => void): () => void;
  /** Lets go of the file. A second call does nothing; everything else afterwards rejects with `tracker.closed`. */
  dispose(): Promise<void>;
}

/** What is absent stays as it is. */
export interface IssueEdit extends IssueText {
  readonly labels?: AnyLabelChange | undefined;
  readonly blockers?: BlockerChange | undefined;
  /** The values the edit started from: if one of them is different now, the edit is refused with `issue.changed`. */
  readonly expected?: IssueText | undefined;
}

/** The parts of an issue that one edit would overwrite for another. */
export interface IssueText {
  readonly title?: string | undefined;
  readonly body?: string | undefined;
  readonly priority?: Priority | undefined;
}

/** An issue is never in both lists. */
export interface BlockerChange {
  readonly add: readonly IssueId[];
  readonly remove: readonly IssueId[];
}

/** A label is never in both lists. */
export interface AnyLabelChange {
  readonly add: readonly string[];
  readonly remove: readonly string[];
}
