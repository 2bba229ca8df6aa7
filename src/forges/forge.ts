/** The port to where pull requests, reviews and CI live: `local`, `github`. */
import type { ChangesSince } from '../domain/evidence.ts';
import type { IssueId } from '../domain/ids.ts';
import type { PullRequest } from '../domain/pull-request.ts';

/**
 * Contract, held by one conformance suite for every forge:
 *
 * - **Unknown is a value.** What could not be read is `unknown`, for one pull request or for one field of it; `undefined`
 *   from a read means "there is none", and was really looked for by branch and by link. A closed, unmerged one is none.
 * - **A read says at which commit it is.** Reviews and CI are those of `headSha` or carry their own SHA.
 * - **Writes are idempotent** by what they name: opening a second pull request for a branch returns the first, the same
 *   review again is one review, merging what is merged succeeds.
 * - **Nothing lands behind its base.** `merge` takes the SHA that was checked and rejects if the head or the base has moved;
 *   it never bypasses branch protection.
 * - **No force, no other branch.** `push` moves only the issue's own branch.
 * - **Every failure is a coded `LegionError`.**
 */
export interface Forge {
  readonly kind: 'local' | 'github';

  /** One batched read for all of them, keyed by branch. */
  pullRequests(
    branches: readonly string[],
    signal: AbortSignal,
  ): Promise<ReadonlyMap<string, PullRequest | 'unknown'>>;
  /** Paths changed between each commit and `head`. */
  changesSince(shas: readonly string[], head: string, signal: AbortSignal): Promise<ChangesSince>;
  /** Name and last lines of the failing check, for the implementer's prompt. */
  failingCheck(sha: string, signal: AbortSignal): Promise<FailingCheck | undefined>;

  push(branch: string, workspace: string): Promise<string>;
  open(branch: string, text: PullRequestText): Promise<number>;
  edit(number: number, text: Partial<PullRequestText>): Promise<void>;
  markReady(number: number): Promise<void>;
  review(number: number, review: NewReview): Promise<void>;
  merge(
    number: number,
    at: { readonly headSha: string; readonly baseSha: string },
  ): Promise<{ mergedSha: string }>;
  /** Opens a pull request that undoes a merged one, also when the base has moved on. */
  revert(number: number, issue: IssueId): Promise<number>;
}

export interface PullRequestText {
  readonly title: string;
  readonly body: string;
  readonly draft: boolean;
}

export interface NewReview {
  readonly verdict: 'approved' | 'changes_requested';
  readonly sha: string;
  readonly text: string;
}

export interface FailingCheck {
  readonly name: string;
  readonly logTail: string;
}
