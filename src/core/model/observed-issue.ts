/** An issue as observed on the tracker and the forge. */
import type { ChangesSince } from './evidence.ts';
import type { Issue } from './issue.ts';
import type { ChangedFile, PullRequest } from './pull-request.ts';
import type { RevertSignal } from './signals.ts';
import type { ObservedStatus } from './status.ts';

export interface ObservedIssue {
  readonly issue: Issue;
  readonly status: ObservedStatus;
  readonly pullRequest: PullRequest | 'none' | 'unknown';
  /** Pull request that reverts the last merge. Absent if no revert can still be open. */
  readonly revert?: ObservedRevert | undefined;
  /** Changes since the commits that evidence and reviews are bound to. */
  readonly changes: ChangesSince;
  /** Files of an open pull request, with both texts of manifests. Read only in Retro. */
  readonly diff?: readonly ChangedFile[] | 'unknown' | undefined;
  /**
   * Problems in people's checkouts of the base branch that block the merge. Absent if not checked.
   */
  readonly checkouts?: readonly BlockingCheckout[] | undefined;
  /**
   * For an issue in the Icebox: whether its text, together with people's comments since it arrived
   * there, is clear enough according to the triage rule.
   */
  readonly clarified: boolean;
  /**
   * Comments of people who may steer the issue, oldest first. Set only if the issue is waiting for a
   * comment.
   */
  readonly said?: readonly PersonComment[] | undefined;
}

export interface PersonComment {
  readonly id: string;
  readonly author: string;
  readonly text: string;
  readonly at: number;
}

export interface ObservedRevert {
  readonly number: number;
  readonly state: RevertSignal;
  /** Set if the revert is merged. */
  readonly mergedSha?: string | undefined;
}

export interface BlockingCheckout {
  readonly folder: string;
  readonly files: readonly string[];
  readonly why: string;
}
