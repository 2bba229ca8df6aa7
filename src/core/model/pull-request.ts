/** A pull request as a forge reports it, and what its reviews amount to. "Unknown" never means "none". */

export type ReviewVerdict = 'approved' | 'changes_requested' | 'none' | 'unknown';
export type CiStatus = 'passing' | 'failing' | 'pending' | 'none' | 'unknown';
export type Mergeable = 'mergeable' | 'conflicting' | 'unknown';

export interface Review {
  readonly reviewer: string;
  readonly verdict: 'approved' | 'changes_requested';
  readonly sha: string;
  /** When it was given; the latest of each reviewer counts. */
  readonly at: number;
}

/** A closed, unmerged pull request is not a pull request: a forge reports it as none. */
export interface PullRequest {
  readonly number: number;
  readonly state: 'open' | 'merged';
  readonly draft: boolean;
  readonly headSha: string;
  /** The commit of the base it was read against: what `merge` asks for. */
  readonly baseSha: string;
  /** The commit on the base it became, once it is merged. */
  readonly mergedSha?: string;
  readonly reviews: readonly Review[] | 'unknown';
  readonly ci: CiStatus;
  readonly mergeable: Mergeable;
  readonly additions: number;
  readonly deletions: number;
  readonly changedFiles: readonly string[];
  readonly labels: readonly string[];
  readonly body: string;
  readonly author: string;
}

/**
 * The verdict of all reviews that count at this commit: the latest of each reviewer, one outstanding "changes requested"
 * wins. `counts` says whether a review made at some commit still holds; where it cannot say, neither can we.
 */
export function reviewVerdict(
  reviews: readonly Review[] | 'unknown',
  counts: (sha: string) => boolean | 'unknown',
): ReviewVerdict {
  if (reviews === 'unknown') return 'unknown';
  const latest = new Map<string, Review>();
  for (const review of reviews) {
    const earlier = latest.get(review.reviewer);
    if (earlier === undefined || earlier.at <= review.at) latest.set(review.reviewer, review);
  }
  const found = new Set<ReviewVerdict | 'perhaps approved' | 'perhaps changes_requested'>();
  for (const { sha, verdict } of latest.values()) {
    const held = counts(sha);
    if (held !== false) found.add(held === true ? verdict : `perhaps ${verdict}`);
  }
  // What is certain outranks what may be so, and an objection outranks an approval.
  if (found.has('changes_requested')) return 'changes_requested';
  if (found.has('perhaps changes_requested')) return 'unknown';
  if (found.has('approved')) return 'approved';
  return found.has('perhaps approved') ? 'unknown' : 'none';
}
