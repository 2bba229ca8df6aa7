/** An issue as a tracker reports it, complete. */
import type { IssueId } from '../core/model/ids.ts';

/** Where the issue really lives; API calls use this and never take an id apart. */
export type IssueSource =
  | { readonly kind: 'local' }
  | { readonly kind: 'github'; readonly owner: string; readonly repo: string; readonly number: number }
  | { readonly kind: 'linear'; readonly uuid: string; readonly identifier: string };

/** 1 is the most urgent, 4 the least, 0 says nothing: the numbers Linear uses, because the others have none. */
export type Priority = 0 | 1 | 2 | 3 | 4;

export interface Issue {
  readonly id: IssueId;
  readonly source: IssueSource;
  readonly title: string;
  readonly body: string;
  /** The board's own column name, unread. */
  readonly column: string;
  readonly labels: readonly string[];
  readonly priority: Priority;
  readonly createdAt: number;
  /** When it came into its present column; absent where the tracker cannot say. */
  readonly enteredStatusAt?: number;
  /** Who wrote its text, and whether that is somebody who may write to the repository; absent where everybody may. */
  readonly writtenBy?: { readonly name: string; readonly mayWrite: boolean };
  /** The issue it was split from. */
  readonly parent?: IssueId;
  /** The project it belongs to, where the tracker has projects; it may say which repository is meant. */
  readonly project?: string;
  /** Who is said to take care of it, where the tracker says so; shown, and nothing is decided by it. */
  readonly assignee?: string;
  /** Addresses attached to it, such as of its pull request. */
  readonly links?: readonly string[];
  /** Issues that must be done first and are not. */
  readonly openBlockers: readonly IssueId[];
  /** What could not be read of this issue; absent where everything could. */
  readonly problems?: readonly IssueProblem[] | undefined;
}

/** A defect of one issue's own record: it is shown on that issue, and no other issue is affected by it. */
export interface IssueProblem {
  /** Subject, problem and next step, fit to be shown. */
  readonly text: string;
  /** No worker starts on the issue while the problem lasts. */
  readonly holds: boolean;
}
