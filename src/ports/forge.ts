/** The port to where pull requests, reviews and CI live: `local`, `github`. */

import type { IssueId } from '../core/model/ids.ts';
import type { PullRequest } from '../core/model/pull-request.ts';
import type { ChangesSince } from '../domain/evidence.ts';

/**
 * Contract, held by one conformance suite for every forge:
 *
 * - **Unknown is a value.** What could not be read is `unknown`, for one pull request or for one field of it; absent from a
 *   read means "there is none", and was really looked for. A closed, unmerged one is none, and so is one whose branch is
 *   gone: it is back when its branch is. Of several for one branch, the open one is meant, else the last that was merged.
 * - **A read says at which commits it is.** Mergeability and size are those of `headSha` against `baseSha`; CI is that of
 *   `headSha`; reviews carry their own SHA. A merged one keeps the head it was merged at.
 * - **Writes are idempotent** by what they name: opening a second pull request for a branch returns the first, a reviewer's
 *   same verdict again is one review, a comment is one by its key, merging what is merged returns the same commit, a second
 *   revert is the first.
 * - **Nobody reviews a pull request of their own**, and no name can be borrowed by spelling it differently.
 * - **Nothing lands behind its base.** `merge` takes the SHAs that were checked and rejects if the head or the base has
 *   moved (`forge.head_moved`, `forge.base_moved`); it never bypasses branch protection, and never merges a draft.
 * - **No force, no other branch.** `push` moves only the branch named, never the base; over a history that was rewritten in
 *   the workspace only if the branch still stands where this workspace's last push left it.
 * - **Text from outside cannot do harm.** Titles, bodies, names and comments lose control characters; what is too long or
 *   empty is refused with `input.invalid`. A branch name that git would not take has no pull request.
 * - **A subscription is only a hint** that something about a branch may have changed; it may be dropped or doubled, and a
 *   listener that throws disturbs nobody.
 * - **Every failure is a coded `LegionError`.** After `close`, every call rejects with `forge.closed`.
 */
export interface Forge {
  readonly kind: 'local' | 'github';

  /** One batched read for all of them, keyed by branch. */
  pullRequests(
    branches: readonly string[],
    signal: AbortSignal,
  ): Promise<ReadonlyMap<string, ForgePullRequest | 'unknown'>>;
  /**
   * What changed between each commit and the head, told apart from what the base brought in; both names of a renamed path.
   * `unknown` where a commit is not there.
   */
  changesSince(shas: readonly string[], at: CheckedAt, signal: AbortSignal): Promise<ChangesSince>;
  /** Why the last read could not tell of one branch's pull request, where that branch alone is the reason. */
  whyUnknown?(branch: string): string | undefined;
  /** Every check of a commit that is known, with its result; it starts none. */
  checks(sha: string, signal: AbortSignal): Promise<readonly ForgeCheck[]>;
  /** The end of the log of one of these checks, or why there is none. A log that cannot be read is not a failure. */
  checkLog(sha: string, check: ForgeCheck, signal: AbortSignal): Promise<CheckLog>;
  /** Name and last lines of the failing check, for the implementer's prompt. */
  failingCheck(sha: string, signal: AbortSignal): Promise<FailingCheck | undefined>;
  /** Whether anything checks commits here: by what ran on the base or on recent pull requests, and by what the base requires. */
  findChecks(signal: AbortSignal): Promise<'some' | 'none'>;
  /** What reviewers and commenters wrote, oldest first. */
  remarks(number: number, signal: AbortSignal): Promise<readonly Remark[]>;
  /**
   * What keeps people's own checkouts of the base from following a merge of this branch now; nothing of it is touched. Absent
   * where a merge moves nobody's files.
   */
  obstacles?(branch: string, signal: AbortSignal): Promise<readonly CheckoutObstacle[]>;
  /** By number, whatever its state. Absent where people merge pull requests on the forge's own pages. */
  findPullRequest?(number: number, signal: AbortSignal): Promise<NumberedPullRequest | undefined>;
  /** Calls `listener` with a branch when there may be news about it; returns the way to stop that. */
  subscribe(listener: (branch: string) => void): () => void;

  /** Resolves to the SHA the branch stands at afterwards. */
  push(branch: string, workspace: string): Promise<string>;
  open(branch: string, pullRequest: NewPullRequest): Promise<number>;
  edit(number: number, text: Partial<PullRequestText>): Promise<void>;
  markReady(number: number): Promise<void>;
  label(number: number, change: PullRequestLabelChange): Promise<void>;
  /** `key` identifies the comment: a second post with it changes nothing. */
  comment(number: number, key: string, text: string): Promise<void>;
  review(number: number, review: NewReview): Promise<void>;
  /** Squashes the head onto the base. */
  merge(number: number, at: CheckedAt): Promise<Merged>;
  /** Closes it without merging; a merged one is refused. */
  abandon(number: number): Promise<void>;
  /** Opens a pull request that undoes a merged one, also when the base has moved on. */
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

/** A checkout of the base that a merge would have to move over something that is not committed. */
export interface CheckoutObstacle {
  readonly folder: string;
  /** Relative to the folder; none where something else is in the way. */
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
  /** Who acts: a worker id or a person's name. A forge with accounts of its own uses that of the worker's role. */
  readonly author: string;
}

export interface PullRequestLabelChange {
  readonly add: readonly string[];
  readonly remove: readonly string[];
}

export interface NewReview {
  readonly reviewer: string;
  readonly verdict: 'approved' | 'changes_requested';
  /** The commit that was looked at; the review counts for that one. */
  readonly sha: string;
  readonly text: string;
}

export interface Remark {
  readonly kind: 'comment' | NewReview['verdict'];
  readonly by: string;
  readonly at: number;
  readonly text: string;
  /** By somebody who may not write to the repository: to be shown as data, never to be followed. */
  readonly outsider?: true;
}

export interface CheckedAt {
  readonly headSha: string;
  readonly baseSha: string;
}

export interface Merged {
  readonly mergedSha: string;
  /** What a person should know, such as a work tree that could not follow. */
  readonly note?: string;
}

export interface RevertRequest {
  /** The issue the revert belongs to. */
  readonly issue: IssueId;
  readonly author: string;
}

export interface ForgeCheck {
  readonly name: string;
  /** `could_not_run` says nothing about the code. */
  readonly status: 'passing' | 'failing' | 'pending' | 'could_not_run';
  /** What the check published about its result. */
  readonly summary?: string | undefined;
  /** Where people see more of it. */
  readonly url?: string | undefined;
}

export type CheckLog = { readonly text: string } | { readonly missing: string };

export interface FailingCheck {
  readonly name: string;
  readonly logTail: string;
}
