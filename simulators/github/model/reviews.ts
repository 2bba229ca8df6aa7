/** Manages reviews: who may submit a review, and which reviews affect merging. */
import { getPermission, isPermissionEnough } from './access.ts';
import { toUnprocessable } from './fault.ts';
import type { Account, PullRequest, Review, ReviewRemark } from './nodes.ts';
import type { GithubWorld } from './world.ts';

export interface NewReview {
  readonly state: Review['state'];
  readonly body: string;
  readonly oid?: string | null | undefined;
  readonly remarks?: readonly {
    readonly path: string;
    readonly line: number | null;
    readonly body: string;
  }[];
}

export function addReview(world: GithubWorld, by: Account, on: PullRequest, review: NewReview): Review {
  if (by === on.author && review.state === 'APPROVED')
    throw toUnprocessable('Can not approve your own pull request');
  if (by === on.author && review.state === 'CHANGES_REQUESTED') {
    throw toUnprocessable('Can not request changes on your own pull request');
  }
  const remarks = review.remarks ?? [];
  if (review.state !== 'APPROVED' && review.body.trim() === '' && remarks.length === 0) {
    throw toUnprocessable("Body can't be blank");
  }
  const added = world.add<Review>({
    ...world.identity('PRR'),
    type: 'PullRequestReview',
    on,
    author: by,
    state: review.state,
    body: review.body,
    oid: review.oid ?? on.headOid,
    remarks: [],
  });
  for (const remark of remarks) {
    added.remarks.push(
      world.add<ReviewRemark>({
        ...world.identity('PRRC'),
        type: 'PullRequestReviewComment',
        review: added,
        ...remark,
      }),
    );
  }
  on.reviews.push(added);
  on.updatedAt = world.now();
  world.changed({ event: 'pull_request_review', action: 'submitted', by, review: added });
  return added;
}

/**
 * Returns each reviewer's last approval or request for changes. A later comment does not revoke it.
 */
export function listLatestOpinions(pullRequest: PullRequest, writersOnly: boolean): Review[] {
  const latest = new Map<Account, Review>();
  for (const review of pullRequest.reviews) {
    if (review.state !== 'COMMENTED') latest.set(review.author, review);
  }
  const all = [...latest.values()];
  return writersOnly ? all.filter(({ author }) => canWrite(pullRequest, author)) : all;
}

export function computeReviewDecision(
  pullRequest: PullRequest,
): 'APPROVED' | 'CHANGES_REQUESTED' | 'REVIEW_REQUIRED' | null {
  const opinions = listLatestOpinions(pullRequest, true);
  if (opinions.some(({ state }) => state === 'CHANGES_REQUESTED')) return 'CHANGES_REQUESTED';
  const required = pullRequest.repository.protections.get(pullRequest.base)?.requiredApprovals ?? 0;
  if (required === 0) return null;
  return opinions.length >= required ? 'APPROVED' : 'REVIEW_REQUIRED';
}

/** Returns whether the account may write. A bot may write if its app is installed for the owner. */
export function canWrite({ repository }: PullRequest, account: Account): boolean {
  return account.type === 'Bot' || isPermissionEnough(getPermission(repository, account), 'WRITE');
}
