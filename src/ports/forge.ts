/** The port to pull requests, reviews and CI: `local` or `github`. */
import type { ChangesSince } from '../core/model/evidence.ts';
import type { IssueId } from '../core/model/ids.ts';
import type { ChangedFile, PullRequest } from '../core/model/pull-request.ts';

/**
 * Contract, verified by one conformance suite for every forge:
 *
 * - **Unknown is a value.** A pull request or field that could not be read is `unknown`. If it is
 *   absent from a read, it does not exist. A pull request is also absent if it was closed without
 *   merging, or while its branch is gone. If a branch has several pull requests, the open one is
 *   returned, otherwise the last merged one.
 * - **A read identifies its commits.** Mergeability and size are those of `headSha` against
 *   `baseSha`; CI is that of `headSha`; each review has its own SHA. A merged pull request keeps
 *   the head at which it was merged.
 * - **Writes are idempotent** by their arguments. Opening a second pull request for a branch
 *   returns the first. If a reviewer repeats a verdict, no second review is added. A comment is
 *   unique by key. Merging again returns the same commit. A second revert returns the first.
 * - **Authors cannot review their own pull requests**, not even under a different spelling of their
 *   name.
 * - **Nothing is merged into an unchecked base.** `merge` takes the SHAs that were checked and
 *   rejects if the head or the base has moved (`forge.head_moved`, `forge.base_moved`). It never
 *   bypasses branch protection and never merges a draft.
 * - **No force push, no other branch.** `push` moves only the named branch, never the base. It
 *   accepts a history rewritten in the workspace only if the branch is still where this workspace's
 *   last push left it.
 * - **Text from outside is harmless.** Titles, bodies, names and comments lose control characters.
 *   Empty or overlong text is rejected with `input.invalid`. A branch name that git rejects has no
 *   pull request.
 * - **A subscription is only a hint** that something about a branch may have changed. Hints may be
 *   dropped or duplicated, and a listener that throws does not affect others.
 * - **Every failure is a coded `LegionError`.** After `close`, every call rejects with
 *   `forge.closed`.
 */
export interface Forge {
  readonly kind: 'local' | 'github';

  /** Reads all branches in one batch, keyed by branch. */
  pullRequests(
    branches: readonly string[],
    signal: AbortSignal,
  ): Promise<ReadonlyMap<string, ForgePullRequest | 'unknown'>>;
  /**
   * Returns the changes between each commit and the head, separated from those of the base. Lists
   * both names of a renamed path. `unknown` if a commit does not exist.
   */
  changesSince(shas: readonly string[], at: CheckedAt, signal: AbortSignal): Promise<ChangesSince>;
  /**
   * Lists the files that the head changes, compared with the point where it left the base. Adds both
   * texts of the files for which `needsText` returns true. `unknown` if a commit cannot be read.
   */
  changedFiles(
    at: CheckedAt,
    needsText: (path: string) => boolean,
    signal: AbortSignal,
  ): Promise<readonly ChangedFile[] | 'unknown'>;
  /** Returns why the last read failed for this branch, if the reason concerns this branch alone. */
  whyUnknown?(branch: string): string | undefined;
  /** Lists all known checks of a commit with their results. Starts none. */
  checks(sha: string, signal: AbortSignal): Promise<readonly ForgeCheck[]>;
  /**
   * Returns the end of a check's log, or the reason why it is missing. An unreadable log is not a
   * failure.
   */
  checkLog(sha: string, check: ForgeCheck, signal: AbortSignal): Promise<CheckLog>;
  /**
   * Returns the name and last lines of the check that failed or timed out, for the implementer's
   * prompt.
   */
  failingCheck(sha: string, signal: AbortSignal): Promise<FailingCheck | undefined>;
  /**
   * Reports whether commits are checked here, based on recent checks on the base and on pull
   * requests, and on the checks that the base requires.
   */
  findChecks(signal: AbortSignal): Promise<'some' | 'none'>;
  /** Lists reviews and comments, oldest first. */
  remarks(number: number, signal: AbortSignal): Promise<readonly PullRequestRemark[]>;
  /**
   * Lists obstacles that keep people's checkouts of the base from following a merge of this branch.
   * Changes nothing. Not implemented by forges whose merges leave checkouts alone.
   */
  obstacles?(branch: string, signal: AbortSignal): Promise<readonly CheckoutObstacle[]>;
  /**
   * Finds a pull request by number in any state. Not implemented by forges that have their own
   * pages on which people merge pull requests.
   */
  findPullRequest?(number: number, signal: AbortSignal): Promise<NumberedPullRequest | undefined>;
  /** Calls `listener` with a branch that may have changed. Returns a function that unsubscribes. */
  subscribe(listener: (branch: string) => void): () => void;

  /** Resolves to the branch's SHA after the push. */
  push(branch: string, workspace: string): Promise<string>;
  open(branch: string, pullRequest: NewPullRequest): Promise<number>;
  edit(number: number, text: Partial<PullRequestText>): Promise<void>;
  markReady(number: number): Promise<void>;
  label(number: number, change: PullRequestLabelChange): Promise<void>;
  /** Posts a comment identified by `key`. A second call with the same key changes nothing. */
  comment(number: number, key: string, text: string): Promise<void>;
  /**
   * Posts the comment `key`, or replaces its text if it exists. Writing the same text again sends
   * no request. A text longer than the service allows is cut and ends with a note.
   */
  putComment(number: number, key: string, text: string): Promise<void>;
  review(number: number, review: NewReview): Promise<void>;
  /** Squashes the head onto the base. */
  merge(number: number, at: CheckedAt): Promise<MergeOutcome>;
  /** Closes a pull request without merging. Rejects if it is merged. */
  abandon(number: number): Promise<void>;
  /** Opens a pull request that undoes a merged one, even if the base has moved on. */
  revert(
    number: number,
    request: RevertRequest,
  ): Promise<{ readonly number: number; readonly branch: string }>;

  close(): Promise<void>;
}

export interface ForgePullRequest extends PullRequest {
  readonly branch: string;
  readonly title: string;
}

export interface NumberedPullRequest {
  readonly number: number;
  readonly branch: string;
  readonly issue: IssueId;
  readonly state: 'open' | 'closed' | 'merged';
  readonly mergedSha?: string | undefined;
  /** The pull request that this one reverts. */
  readonly reverts?: number | undefined;
}

/** A checkout of the base with uncommitted changes that block a merge. */
export interface CheckoutObstacle {
  readonly folder: string;
  /** Paths relative to the folder. Empty if the obstacle is not a file. */
  readonly files: readonly string[];
  readonly why: string;
}

export interface PullRequestText {
  readonly title: string;
  readonly body: string;
  readonly draft: boolean;
}

export interface NewPullRequest extends PullRequestText {
  readonly issue: IssueId;
  /**
   * A worker id or a person's name. A forge with its own accounts uses the account of the worker's
   * role.
   */
  readonly author: string;
}

export interface PullRequestLabelChange {
  readonly add: readonly string[];
  readonly remove: readonly string[];
}

export interface NewReview {
  readonly reviewer: string;
  readonly verdict: 'approved' | 'changes_requested';
  /** The reviewed commit. The review is valid for this commit only. */
  readonly sha: string;
  readonly text: string;
}

export interface PullRequestRemark {
  readonly kind: 'comment' | NewReview['verdict'];
  readonly by: string;
  readonly at: number;
  readonly text: string;
  /**
   * Set if the author does not have write access to the repository: show the text as data, never
   * follow it.
   */
  readonly outsider?: true;
}

export interface CheckedAt {
  readonly headSha: string;
  readonly baseSha: string;
}

export interface MergeOutcome {
  readonly mergedSha: string;
  /** A note for the operator, such as a work tree that could not follow the merge. */
  readonly note?: string;
}

export interface RevertRequest {
  /** The issue that the revert belongs to. */
  readonly issue: IssueId;
  readonly author: string;
}

export interface ForgeCheck {
  readonly name: string;
  /** `could_not_run` is not a verdict on the code. */
  readonly status: 'passing' | 'failing' | 'pending' | 'could_not_run';
  /** The check's own published result text. */
  readonly summary?: string | undefined;
  /** The check's web page. */
  readonly url?: string | undefined;
}

export type CheckLog = { readonly text: string } | { readonly missing: string };

export interface FailingCheck {
  readonly name: string;
  readonly logTail: string;
}
