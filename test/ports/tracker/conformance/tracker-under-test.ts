/** The operations that the conformance suite needs from a tracker's test environment. */
import type { IssueId } from '../../../../src/core/model/ids.ts';
import type { Status } from '../../../../src/core/model/status.ts';
import type { Tracker } from '../../../../src/ports/tracker.ts';

export interface TrackerHarness {
  /** Opens a handle on a new, empty board, which becomes the current one. */
  fresh(): Promise<Tracker>;
  /** Opens another handle on the current board, as a second or restarted daemon would. */
  reopen(): Promise<Tracker>;

  personComments(issue: IssueId, text: string): Promise<void>;
  personLabels(
    issue: IssueId,
    change: { readonly add?: string[]; readonly remove?: string[] },
  ): Promise<void>;
  personMoves(issue: IssueId, to: Status): Promise<void>;

  /**
   * Makes the next write of the latest handle succeed, but returns a retryable error to the caller.
   */
  loseNextAnswer(): void;

  /** Opens a handle on a new board without a column for this status. */
  freshWithout?(status: Status): Promise<Tracker>;
  /** Interrupts the next list of the latest handle after it has read some issues. */
  breakNextList?(): void;
  /** Posts a comment as a person without write access to the repository. */
  outsiderComments?(issue: IssueId, text: string): Promise<void>;

  /** Closes every handle and removes every board. */
  dispose(): Promise<void>;
}

/**
 * Operations that some trackers do not support. A tracker that omits an operation states the
 * reason.
 */
type Optional = 'freshWithout' | 'breakNextList' | 'outsiderComments';
export type Omissions = Readonly<Partial<Record<Optional | 'enteredStatusAt', string>>>;

/** The harness of the running test, and the operations it omits. */
export interface Stage {
  readonly harness: () => TrackerHarness;
  readonly without: Omissions;
}

/**
 * Returns an optional operation of the harness. Throws if the operation is missing, because the
 * harness has not declared it as omitted.
 */
export function hook<Name extends Optional>(
  { harness }: Stage,
  name: Name,
): NonNullable<TrackerHarness[Name]> {
  const found = harness()[name];
  if (found === undefined) throw new Error(`the harness has no ${name} and gives no reason`);
  return found;
}
