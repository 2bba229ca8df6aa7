/**
 * Reads all reviews and comments of a pull request, oldest first. Posts comments once per key and
 * edits them.
 */
import type { z } from 'zod';
import { decode } from '../../../core/model/decode.ts';
import { toPlainText } from '../../../core/model/format.ts';
import { collectBackward, collectForward, type ForwardPage } from '../../../lib/paginate.ts';
import { unwrap } from '../../../lib/result.ts';
import type { PullRequestRemark } from '../../../ports/forge.ts';
import { sanitizeBody, sanitizeKey } from '../../forge-support/clean-text.ts';
import { toAccountName } from '../client/client.ts';
import { createMarkedComment, type MarkedComment } from '../client/marked-comment.ts';
import { buildPublishedText, restoreWrittenText } from '../client/published-text.ts';
import { parseFirstTime } from '../client/time.ts';
import type {
  CommentsOfPullRequestQuery,
  MoreReviewCommentsQuery,
  ReviewsOfPullRequestQuery,
} from '../generated/forge.ts';
import { lineComments, remarkComment, remarkReview, remarksPage } from './answer-schemas.ts';
import type { GithubForgeContext } from './context.ts';
import { ALL_REVIEWS, COMMENTS, MORE_REVIEW_COMMENTS } from './documents.ts';
import { findCommentKey, markComment, toCommentMarkName } from './legion-marks.ts';
import { runOnce } from './open-pull-request.ts';
import { listLegionReviews, type ReviewAccounts } from './pull-request.ts';
import { askRepository, readEach } from './read-one.ts';

export async function listRemarks(
  context: GithubForgeContext,
  number: number,
  signal: AbortSignal,
): Promise<readonly PullRequestRemark[]> {
  const { comments } = await askComments(context, number, signal);
  const reviews = await readAllReviews(context, number, signal);
  const accounts = { reviewAs: await context.client.login('review'), isLegion: context.isLegion };
  const repository = { owner: { login: context.repo.owner }, name: context.repo.name };
  const authored = comments.map((comment) => ({ ...comment, repository }));
  await context.authors.learn(authored, signal);
  const all = [
    ...reviews.flatMap((review) => toReviewRemarks(review, accounts)),
    ...authored.map((comment) => toCommentRemark(comment, accounts, context.authors.mayWrite(comment))),
  ];
  return all.toSorted((one, other) => one.at - other.at);
}

type DecodedReview = z.output<typeof remarkReview>;
type LineComment = NonNullable<NonNullable<DecodedReview['comments']['nodes']>[number]>;

interface WholeReview extends Omit<DecodedReview, 'comments'> {
  readonly lines: readonly LineComment[];
}

async function readAllReviews(
  context: GithubForgeContext,
  number: number,
  signal: AbortSignal,
): Promise<readonly WholeReview[]> {
  const reviews = await collectBackward(async (before) => {
    const { pullRequest } = await askRepository<ReviewsOfPullRequestQuery>(
      context,
      ALL_REVIEWS,
      { number, before },
      signal,
    );
    const { pageInfo, nodes } = unwrap(decode(remarksPage, pullRequest.reviews, 'reviews'));
    return { pageInfo, nodes: readEach(context, remarkReview, nodes, 'review') };
  });
  return Promise.all(reviews.map((review) => withAllComments(context, review, signal)));
}

async function withAllComments(
  { client }: GithubForgeContext,
  review: DecodedReview,
  signal: AbortSignal,
): Promise<WholeReview> {
  const lines = await collectForward(withNodes(review.comments), async (after) => {
    const variables = { id: review.id, after };
    const { node } = await client.query<MoreReviewCommentsQuery>(MORE_REVIEW_COMMENTS, variables, { signal });
    return withNodes(unwrap(decode(lineComments, node?.comments, 'comments')));
  });
  return { ...review, lines: lines.filter((line) => line !== null) };
}

function withNodes({ pageInfo, nodes }: z.output<typeof lineComments>): ForwardPage<LineComment | null> {
  return { pageInfo, nodes: nodes ?? [] };
}

const KINDS: Readonly<Record<string, PullRequestRemark['kind']>> = {
  APPROVED: 'approved',
  CHANGES_REQUESTED: 'changes_requested',
};

/**
 * Returns the review's text and its line comments. A comment review without text only serves to
 * group its line comments.
 */
function toReviewRemarks(review: WholeReview, accounts: ReviewAccounts): readonly PullRequestRemark[] {
  const [ours] = listLegionReviews([review], accounts);
  const account = toAccountName(review.author);
  const by = ours?.mark.reviewer ?? account;
  const kind = (review.state === 'COMMENTED' ? ours?.mark.verdict : KINDS[review.state]) ?? 'comment';
  const isInside = review.authorCanPushToRepository || accounts.isLegion(account);
  const outside = isInside ? {} : { outsider: true as const };
  const text = toPlainText(restoreWrittenText(review.body));
  return [
    ...(kind === 'comment' && text === ''
      ? []
      : [{ kind, by, at: parseFirstTime(review.createdAt) ?? 0, text, ...outside }]),
    ...review.lines.map(({ body, path, line, originalLine, createdAt }) => {
      const location = [path, line ?? originalLine].filter((part) => part !== null).join(':');
      return {
        kind: 'comment' as const,
        by,
        at: parseFirstTime(createdAt) ?? 0,
        text: toPlainText(`${location}: ${body}`),
        ...outside,
      };
    }),
  ];
}

function toCommentRemark(
  comment: CommentRecord,
  { isLegion }: ReviewAccounts,
  mayWrite: boolean,
): PullRequestRemark {
  const account = toAccountName(comment.author);
  const isOurs = isLegion(account) && findCommentKey(comment.body) !== undefined;
  return {
    kind: 'comment',
    by: isOurs ? 'legion' : account,
    at: parseFirstTime(comment.createdAt) ?? 0,
    text: toPlainText(isOurs ? restoreWrittenText(comment.body) : comment.body),
    ...(mayWrite ? {} : { outsider: true as const }),
  };
}

type CommentRecord = z.output<typeof remarkComment>;

async function askComments(context: GithubForgeContext, number: number, signal: AbortSignal) {
  let target = { id: '', branch: '' };
  const comments = await collectBackward(async (before) => {
    const { pullRequest } = await askRepository<CommentsOfPullRequestQuery>(
      context,
      COMMENTS,
      { number, before },
      signal,
    );
    target = { id: pullRequest.id, branch: pullRequest.headRefName };
    const { pageInfo, nodes } = unwrap(decode(remarksPage, pullRequest.comments, 'comments'));
    return { pageInfo, nodes: readEach(context, remarkComment, nodes, 'comment') };
  });
  return { ...target, comments };
}

/**
 * Posts a comment once per key. Call only while holding the clone's lock, so that two processes on
 * this machine do not post at once. Comments posted from other machines are found on GitHub.
 */
export async function publishComment(
  context: GithubForgeContext,
  number: number,
  key: string,
  text: string,
): Promise<void> {
  const cleanKey = sanitizeKey(key);
  const body = markComment(sanitizeBody(text), cleanKey);
  const { find, post } = createPullRequestComment(context, number, toCommentMarkName(cleanKey), body);
  await runOnce<unknown>(find, post);
}

/**
 * Posts a comment, or edits the one with this key if its text differs. Call only while holding the
 * clone's lock. `written` contains the texts that this process wrote last.
 */
export async function putComment(
  context: GithubForgeContext,
  number: number,
  key: string,
  text: string,
  written: Map<string, string>,
): Promise<void> {
  const name = toCommentMarkName(sanitizeKey(key));
  const body = buildPublishedText(toPlainText(text), name);
  const writtenKey = `${number} ${name}`;
  if (written.get(writtenKey) === body) return;
  const comment = createPullRequestComment(context, number, name, body);
  let found: Awaited<ReturnType<MarkedComment['find']>>;
  const findWritten = async () => {
    found = await comment.find();
    return found?.body === body ? true : undefined;
  };
  await runOnce(findWritten, () => (found === undefined ? comment.post() : comment.edit(found)));
  written.set(writtenKey, body);
}

function createPullRequestComment(
  context: GithubForgeContext,
  number: number,
  name: string,
  body: string,
): MarkedComment {
  const { client, isLegion } = context;
  let branch = '';

  async function read() {
    const { id, comments, ...target } = await askComments(context, number, context.closing);
    branch = target.branch;
    return { subject: id, comments };
  }

  const comment = createMarkedComment({ client, isLegion, name, body, read });
  return {
    find: comment.find,
    async post() {
      await comment.post();
      context.changed(branch);
      return true;
    },
    edit: comment.edit,
  };
}
