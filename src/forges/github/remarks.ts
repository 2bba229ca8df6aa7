/** What reviewers and commenters wrote about a pull request, oldest first, all of it. */

import type { z } from 'zod';
import { decode } from '../../domain/decode.ts';
import { plainText } from '../../domain/plain-text.ts';
import { accountName } from '../../github/actor.ts';
import { asWritten } from '../../github/published-text.ts';
import { firstTime } from '../../github/time.ts';
import { lineComments, remarkReview, remarksPage } from '../../integrations/github/forge/answer-schemas.ts';
import { commentKeyIn } from '../../integrations/github/forge/legion-marks.ts';
import type {
  MoreReviewCommentsQuery,
  ReviewsOfPullRequestQuery,
} from '../../integrations/github/generated/forge.ts';
import { allBackward, allForward, type Page } from '../../lib/paginate.ts';
import { unwrap } from '../../lib/result.ts';
import type { Remark } from '../../ports/forge.ts';
import { askComments, type CommentRecord } from './ask-comments.ts';
import { askRepository } from './ask-one.ts';
import type { Desk } from './desk.ts';
import { readEach } from './read-each.ts';
import { legionReviews, type Whose } from './reviews.ts';
import { ALL_REVIEWS, MORE_REVIEW_COMMENTS } from './write-documents.ts';

export async function remarks(desk: Desk, number: number, signal: AbortSignal): Promise<readonly Remark[]> {
  const { comments } = await askComments(desk, number, signal);
  const reviews = await allReviews(desk, number, signal);
  const whose = { reviewAs: await desk.client.login('review'), isLegion: desk.isLegion };
  const repository = { owner: { login: desk.repo.owner }, name: desk.repo.name };
  const said = comments.map((comment) => ({ ...comment, repository }));
  await desk.authors.learn(said, signal);
  const all = [
    ...reviews.flatMap((review) => ofReview(review, whose)),
    ...said.map((comment) => ofComment(comment, whose, desk.authors.mayWrite(comment))),
  ];
  return all.toSorted((one, other) => one.at - other.at);
}

type DecodedReview = z.output<typeof remarkReview>;
type LineComment = NonNullable<NonNullable<DecodedReview['comments']['nodes']>[number]>;

interface WholeReview extends Omit<DecodedReview, 'comments'> {
  readonly lines: readonly LineComment[];
}

async function allReviews(desk: Desk, number: number, signal: AbortSignal): Promise<readonly WholeReview[]> {
  const reviews = await allBackward(async (before) => {
    const { pullRequest } = await askRepository<ReviewsOfPullRequestQuery>(
      desk,
      ALL_REVIEWS,
      { number, before },
      signal,
    );
    const { pageInfo, nodes } = unwrap(decode(remarksPage, pullRequest.reviews, 'reviews'));
    return { pageInfo, nodes: readEach(desk, remarkReview, nodes, 'review') };
  });
  return Promise.all(reviews.map((review) => withAllComments(desk, review, signal)));
}

async function withAllComments(
  { client }: Desk,
  review: DecodedReview,
  signal: AbortSignal,
): Promise<WholeReview> {
  const lines = await allForward(withNodes(review.comments), async (after) => {
    const asked = { id: review.id, after };
    const { node } = await client.query<MoreReviewCommentsQuery>(MORE_REVIEW_COMMENTS, asked, { signal });
    return withNodes(unwrap(decode(lineComments, node?.comments, 'comments')));
  });
  return { ...review, lines: lines.filter((line) => line !== null) };
}

function withNodes({ pageInfo, nodes }: z.output<typeof lineComments>): Page<LineComment | null> {
  return { pageInfo, nodes: nodes ?? [] };
}

const KINDS: Readonly<Record<string, Remark['kind']>> = {
  APPROVED: 'approved',
  CHANGES_REQUESTED: 'changes_requested',
};

/** Its own text, then what it says about single lines. A mere comment without a text is only the frame of those. */
function ofReview(review: WholeReview, whose: Whose): readonly Remark[] {
  const [ours] = legionReviews([review], whose);
  const account = accountName(review.author);
  const by = ours?.mark.reviewer ?? account;
  const kind = (review.state === 'COMMENTED' ? ours?.mark.verdict : KINDS[review.state]) ?? 'comment';
  const isInside = review.authorCanPushToRepository || whose.isLegion(account);
  const outside = isInside ? {} : { outsider: true as const };
  const text = plainText(asWritten(review.body));
  return [
    ...(kind === 'comment' && text === ''
      ? []
      : [{ kind, by, at: firstTime(review.createdAt) ?? 0, text, ...outside }]),
    ...review.lines.map(({ body, path, line, originalLine, createdAt }) => {
      const place = [path, line ?? originalLine].filter((part) => part !== null).join(':');
      return {
        kind: 'comment' as const,
        by,
        at: firstTime(createdAt) ?? 0,
        text: plainText(`${place}: ${body}`),
        ...outside,
      };
    }),
  ];
}

function ofComment(comment: CommentRecord, { isLegion }: Whose, mayWrite: boolean): Remark {
  const account = accountName(comment.author);
  const isOurs = isLegion(account) && commentKeyIn(comment.body) !== undefined;
  return {
    kind: 'comment',
    by: isOurs ? 'legion' : account,
    at: firstTime(comment.createdAt) ?? 0,
    text: plainText(isOurs ? asWritten(comment.body) : comment.body),
    ...(mayWrite ? {} : { outsider: true as const }),
  };
}
