/**
 * Completes a full pull request response with earlier reviews and with both names of renamed files.
 * Also chooses how many pull requests are read at once.
 */
import { decode } from '../../../core/model/decode.ts';
import { collectBackward } from '../../../lib/paginate.ts';
import { unwrap } from '../../../lib/result.ts';
import type { EarlierReviewsQuery } from '../generated/forge.ts';
import { type FullPullRequest, type ReviewRecord, reviewsPage } from './answer-schemas.ts';
import type { GithubForgeContext } from './context.ts';
import { EARLIER_REVIEWS } from './documents.ts';
import { type LastingPullRequest, type PullRequestSize, toLastingPullRequest } from './pull-request.ts';

export async function readLastingPullRequest(
  context: GithubForgeContext,
  answer: FullPullRequest,
  baseSha: string,
  signal: AbortSignal,
): Promise<LastingPullRequest> {
  const [size, reviews, reviewAs] = await Promise.all([
    resolveSize(context, answer, baseSha, signal),
    collectReviews(context, answer, signal),
    context.client.login('review'),
  ]);
  return toLastingPullRequest(answer, size, reviews, { reviewAs, isLegion: context.isLegion });
}

/**
 * Uses git for renames and large changes: GitHub shows only the new name of a renamed file and at
 * most a hundred files.
 */
async function resolveSize(
  { clone }: GithubForgeContext,
  { files, additions, deletions, state, headRefOid }: FullPullRequest,
  baseSha: string,
  signal: AbortSignal,
): Promise<PullRequestSize> {
  const all = files?.nodes ?? [];
  const nodes = all.filter((file) => file !== null);
  const isWhole =
    files?.pageInfo.hasNextPage === false && files.nodes !== null && nodes.length === all.length;
  const isPlain =
    isWhole && nodes.every(({ changeType }) => changeType !== 'RENAMED' && changeType !== 'COPIED');
  // The file list of a merged pull request no longer matters.
  if (isPlain || state === 'MERGED')
    return { additions, deletions, changedFiles: nodes.map(({ path }) => path) };
  await clone.fetchCommits([baseSha, headRefOid], signal);
  const common = await clone.comparison.mergeBase(baseSha, headRefOid, signal);
  return clone.comparison.size(common ?? baseSha, headRefOid, signal);
}

/** Returns all reviews, oldest first. The last page is already in the response. */
async function collectReviews(
  { client }: GithubForgeContext,
  { id, reviews }: FullPullRequest,
  signal: AbortSignal,
): Promise<readonly ReviewRecord[] | undefined> {
  if (reviews === null) return undefined;
  const all = await collectBackward<ReviewRecord | null>(async (before) => {
    if (before === null) return { ...reviews, nodes: reviews.nodes ?? [null] };
    const { node } = await client.query<EarlierReviewsQuery>(EARLIER_REVIEWS, { id, before }, { signal });
    const page = unwrap(decode(reviewsPage, node?.reviews, 'reviews'));
    return { ...page, nodes: page.nodes ?? [null] };
  });
  const present = all.filter((each) => each !== null);
  return present.length < all.length ? undefined : present;
}

export type PullRequestDetail = 'Full' | 'Light';

/**
 * Maximum batch sizes that fit the request budget. A full pull request is more expensive than a
 * digest.
 */
const MAX_BATCH: Readonly<Record<PullRequestDetail, number>> = { Full: 100, Light: 250 };
/** A batch this small does not burden GitHub, so if it fails, its size is not the cause. */
const MIN_BATCH = 5;

export interface BatchSize {
  of(kind: PullRequestDetail): number;
  /** Doubles a reduced size, up to the maximum. */
  recordSuccess(kind: PullRequestDetail): void;
  /**
   * Halves the size for the next pass. This pass sends no more requests, because they would fail as
   * well while GitHub is unavailable.
   */
  recordFailure(kind: PullRequestDetail, requested: number): void;
}

/**
 * Chooses how many pull requests one request reads. Shrinks after a failure, because GitHub aborts
 * queries that take more than ten seconds.
 */
export function createBatchSize(): BatchSize {
  const sizes = { ...MAX_BATCH };
  return {
    of: (kind) => sizes[kind],
    recordSuccess(kind) {
      sizes[kind] = Math.min(MAX_BATCH[kind], sizes[kind] * 2);
    },
    recordFailure(kind, requested) {
      sizes[kind] = Math.max(MIN_BATCH, Math.ceil(Math.min(requested, sizes[kind]) / 2));
    },
  };
}
