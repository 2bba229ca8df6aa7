/** What the suite needs of a tracker to put it through its paces. */
import type { IssueId } from '../../../../src/core/model/ids.ts';
import type { Status } from '../../../../src/core/model/status.ts';
import type { Tracker } from '../../../../src/ports/tracker.ts';

export interface TrackerHarness {
  /** A handle on a new, empty board, which from now on is the present one. */
  fresh(): Promise<Tracker>;
  /** One more handle on the present board, as a second daemon or a restarted one would have. */
  reopen(): Promise<Tracker>;

  personComments(issue: IssueId, text: string): Promise<void>;
  personLabels(
    issue: IssueId,
    change: { readonly add?: string[]; readonly remove?: string[] },
  ): Promise<void>;
  personMoves(issue: IssueId, to: Status): Promise<void>;

  /** The next write of the latest handle is performed, but its caller sees a retryable error. */
  loseNextAnswer(): void;

  /** A handle on a new board that has no column for this status. */
  freshWithout?(status: Status): Promise<Tracker>;
  /** The next list of the latest handle breaks off after some of the issues. */
  breakNextList?(): void;
  /** A comment by somebody who may not write to the repository. */
  outsiderComments?(issue: IssueId, text: string): Promise<void>;

  /** Closes every handle and removes every board. */
  dispose(): Promise<void>;
}

/** What some trackers cannot be made to do; each omission is stated with its reason. */
type Optional = 'freshWithout' | 'breakNextList' | 'outsiderComments';
export type Omissions = Readonly<Partial<Record<Optional | 'enteredStatusAt', string>>>;

/** The harness of the running test, and what it does without. */
export interface Stage {
  readonly harness: () => TrackerHarness;
  readonly without: Omissions;
}

/** A hook of the harness that was not declared to be missing, and so must be there. */
export function hook<Name extends Optional>(
  { harness }: Stage,
  name: Name,
): NonNullable<TrackerHarness[Name]> {
  const found = harness()[name];
  if (found === undefined) throw new Error(`the harness has no ${name} and does not say why`);
  return found;
}
