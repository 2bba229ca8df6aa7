/** Completes what a pull request's answer in full still lacks: earlier reviews, and both names of renamed files. */

import { decode } from '../../../domain/decode.ts';
import type { Desk } from '../../../forges/github/desk.ts';
import { type Lasting, lasting, type Size } from '../../../forges/github/pull-request.ts';
import { allBackward } from '../../../lib/paginate.ts';
import { unwrap } from '../../../lib/result.ts';
import type { EarlierReviewsQuery } from '../generated/forge.ts';
import type { FullPullRequest, ReviewRecord } from './answer-schemas.ts';
import { reviewsPage } from './answer-schemas.ts';
import { EARLIER_REVIEWS } from './documents.ts';

export async function completed(
  desk: Desk,
  answer: FullPullRequest,
  baseSha: string,
  signal: AbortSignal,
): Promise<Lasting> {
  const [size, reviews, reviewAs] = await Promise.all([
    sizeOf(desk, answer, baseSha, signal),
    reviewsOf(desk, answer, signal),
    desk.client.login('review'),
  ]);
  return lasting(answer, size, reviews, { reviewAs, isLegion: desk.isLegion });
}

/** GitHub shows a renamed file by its new name alone, and a hundred files; git shows all of them. */
async function sizeOf(
  { clone }: Desk,
  { files, additions, deletions, state, headRefOid }: FullPullRequest,
  baseSha: string,
  signal: AbortSignal,
): Promise<Size> {
  const all = files?.nodes ?? [];
  const nodes = all.filter((file) => file !== null);
  const isWhole =
    files?.pageInfo.hasNextPage === false && files.nodes !== null && nodes.length === all.length;
  const isPlain =
    isWhole && nodes.every(({ changeType }) => changeType !== 'RENAMED' && changeType !== 'COPIED');
  // What a merged one has changed decides nothing any more.
  if (isPlain || state === 'MERGED')
    return { additions, deletions, changedFiles: nodes.map(({ path }) => path) };
  await clone.bring([baseSha, headRefOid], signal);
  const common = await clone.comparison.mergeBase(baseSha, headRefOid, signal);
  return clone.comparison.size(common ?? baseSha, headRefOid, signal);
}

/** Oldest first, all of them; the last page is there already. */
async function reviewsOf(
  { client }: Desk,
  { id, reviews }: FullPullRequest,
  signal: AbortSignal,
): Promise<readonly ReviewRecord[] | undefined> {
  if (reviews === null) return undefined;
  const all = await allBackward<ReviewRecord | null>(async (before) => {
    if (before === null) return { ...reviews, nodes: reviews.nodes ?? [null] };
    const { node } = await client.query<EarlierReviewsQuery>(EARLIER_REVIEWS, { id, before }, { signal });
    const page = unwrap(decode(reviewsPage, node?.reviews, 'reviews'));
    return { ...page, nodes: page.nodes ?? [null] };
  });
  const there = all.filter((each) => each !== null);
  return there.length < all.length ? undefined : there;
}
