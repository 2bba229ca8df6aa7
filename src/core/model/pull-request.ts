/**
 * A pull request as a forge reports it, and the combined verdict of its reviews. "Unknown" never
 * means "none".
 */

export type ReviewVerdict = 'approved' | 'changes_requested' | 'none' | 'unknown';
/**
 * `failing`: a check found a problem in the code. `timed_out`: a check exceeded its time limit or did
 * not start, which the change may have caused. `interrupted`: a check was cancelled, became stale or
 * reached no verdict. `action_required`: a check waits for a person. `unknown`: not readable now.
 */
export const CI_STATUSES = [
  'passing',
  'failing',
  'timed_out',
  'interrupted',
  'action_required',
  'pending',
  'none',
  'unknown',
] as const;
export type CiStatus = (typeof CI_STATUSES)[number];
export type MergeableStatus = 'mergeable' | 'conflicting' | 'unknown';

export interface PullRequestReview {
  readonly reviewer: string;
  readonly verdict: 'approved' | 'changes_requested';
  readonly sha: string;
  /** When the review was submitted. Only the latest review of each reviewer is used. */
  readonly at: number;
}

/**
 * A pull request that is open or merged. One that was closed without merging is reported as if it
 * did not exist.
 */
export interface PullRequest {
  readonly number: number;
  readonly state: 'open' | 'merged';
  readonly draft: boolean;
  readonly headSha: string;
  /** The base commit against which the pull request was read. `merge` expects this commit. */
  readonly baseSha: string;
  /** The resulting commit on the base, once merged. */
  readonly mergedSha?: string;
  readonly reviews: readonly PullRequestReview[] | 'unknown';
  readonly ci: CiStatus;
  readonly mergeable: MergeableStatus;
  readonly additions: number;
  readonly deletions: number;
  readonly changedFiles: readonly string[];
  readonly labels: readonly string[];
  readonly body: string;
  readonly author: string;
}

/** A file that a branch changes, compared with the point where the branch left its base. */
export interface ChangedFile {
  readonly path: string;
  /** Added plus removed lines. The lines of a binary file cannot be counted. */
  readonly lines: number | 'binary';
  /** Present only if the text was requested. */
  readonly text?: ChangedText | undefined;
}

/** If the file does not exist before or after the change, the text for that side is empty. */
export type ChangedText =
  | { readonly before: string; readonly after: string }
  | { readonly unreadable: string };

/**
 * Combines all reviews that are valid at this commit. Only the latest review of each reviewer is
 * used, and a single outstanding "changes requested" decides the verdict. `counts` returns whether
 * a review of a commit is still valid. If it returns `unknown`, the verdict is unknown unless
 * another review decides it.
 */
export function judgeReviews(
  reviews: readonly PullRequestReview[] | 'unknown',
  counts: (sha: string) => boolean | 'unknown',
): ReviewVerdict {
  if (reviews === 'unknown') return 'unknown';
  const latest = new Map<string, PullRequestReview>();
  for (const review of reviews) {
    const earlier = latest.get(review.reviewer);
    if (earlier === undefined || earlier.at <= review.at) latest.set(review.reviewer, review);
  }
  const verdicts = new Set<ReviewVerdict | 'perhaps approved' | 'perhaps changes_requested'>();
  for (const { sha, verdict } of latest.values()) {
    const held = counts(sha);
    if (held !== false) verdicts.add(held === true ? verdict : `perhaps ${verdict}`);
  }
  // Certain verdicts outrank possible ones, and objections outrank approvals.
  if (verdicts.has('changes_requested')) return 'changes_requested';
  if (verdicts.has('perhaps changes_requested')) return 'unknown';
  if (verdicts.has('approved')) return 'approved';
  return verdicts.has('perhaps approved') ? 'unknown' : 'none';
}
