/**
 * Submits a worker's review: as a native GitHub verdict if the accounts differ, otherwise as a
 * comment review with a label.
 */

import { LegionError } from '../../../core/model/fault.ts';
import { collectBackward } from '../../../lib/paginate.ts';
import type { NewReview } from '../../../ports/forge.ts';
import { isSameName, SHA, sanitizeBody, sanitizeName } from '../../forge-support/clean-text.ts';
import { isSameLogin, toAccountName } from '../client/client.ts';
import { createStep, type MutationStep, makeChanges } from '../client/graphql-answer.ts';
import { restoreWrittenText } from '../client/published-text.ts';
import type { BeforeReviewingQuery } from '../generated/forge.ts';
import type { GithubForgeContext } from './context.ts';
import { BEFORE_REVIEWING } from './documents.ts';
import { listPresentLabels, planLabelSteps } from './edit.ts';
import { markReview } from './legion-marks.ts';
import { type LegionReview, listLegionReviews, resolveAuthor, VERDICT_LABELS } from './pull-request.ts';
import { askRepository, type FoundRepository } from './read-one.ts';

const EVENTS = { approved: 'APPROVE', changes_requested: 'REQUEST_CHANGES' } as const;

/**
 * Repeating a reviewer's last review changes nothing; a different review is added and takes effect.
 * Review and label are sent in one request. After a lost response, only the missing part is sent
 * again.
 */
export async function publishReview(
  context: GithubForgeContext,
  number: number,
  request: NewReview,
): Promise<void> {
  const reviewer = sanitizeName(request.reviewer);
  const review = { ...request, reviewer, text: sanitizeBody(request.text) };
  const { verdict, sha } = review;
  if (!SHA.test(sha)) throw createUnknownCommitFault();
  const body = markReview(review.text, { reviewer, verdict, sha });
  const before = await readReviewState(context, number, review);
  const steps = planReviewSteps(before, review, body);
  if (steps.length === 0) return;
  if (!before.isRepeated && before.pullRequest.state !== 'OPEN')
    throw new LegionError(
      'forge.not_open',
      `Pull request ${number} is ${before.pullRequest.state.toLowerCase()}`,
    );
  try {
    await makeChanges(context.client, 'ReviewPullRequest', steps, { as: 'review' });
  } catch (error) {
    if (!(error instanceof LegionError) || error.code !== 'github.unavailable') throw error;
    if (planReviewSteps(await readReviewState(context, number, review), review, body).length > 0) throw error;
  } finally {
    context.changed(before.pullRequest.headRefName);
  }
}

interface ReviewState {
  readonly pullRequest: ReviewedPullRequest;
  /** True if the same review already exists. */
  readonly isRepeated: boolean;
  /**
   * Whether GitHub accepts a verdict from the reviewing account. It does not if that account opened
   * the pull request.
   */
  readonly isNative: boolean;
  readonly labels: readonly MutationStep[];
}

async function readReviewState(
  context: GithubForgeContext,
  number: number,
  review: NewReview,
): Promise<ReviewState> {
  const reviewAs = await context.client.login('review');
  const accounts = { reviewAs, isLegion: context.isLegion };
  const { object, pullRequest, reviews } = await askReviewedRepository(context, number, review.sha);
  if (object?.oid !== review.sha) throw createUnknownCommitFault();
  const author = resolveAuthor(pullRequest, accounts);
  if (isSameName(review.reviewer, author)) {
    throw new LegionError('forge.own_review', `${author} opened pull request ${number} and cannot review it`);
  }
  const isNative = !isSameLogin(toAccountName(pullRequest.author), reviewAs);
  const all = listLegionReviews(reviews, accounts);
  const last = all.findLast(({ mark }) => isSameName(mark.reviewer, review.reviewer));
  const isRepeated = last !== undefined && isSameReview(last, review, isNative);
  const labels = isNative ? [] : await planVerdictLabels(context, pullRequest, all, review);
  return { pullRequest, isRepeated, isNative, labels };
}

function isSameReview({ answer, mark }: LegionReview, review: NewReview, isNative: boolean): boolean {
  const isKind = (answer.state === 'COMMENTED') !== isNative;
  const isText = restoreWrittenText(answer.body).trim() === review.text.trim();
  return isKind && isText && mark.verdict === review.verdict && mark.sha === review.sha;
}

/** Removes the label of the opposite verdict, unless that is the last verdict of another reviewer. */
function planVerdictLabels(
  context: GithubForgeContext,
  { id, labels }: ReviewedPullRequest,
  all: readonly LegionReview[],
  { reviewer, verdict }: NewReview,
): Promise<readonly MutationStep[]> {
  const others = all.filter(({ mark }) => !isSameName(mark.reviewer, reviewer));
  const lastVerdicts = new Map(others.map(({ mark }) => [mark.reviewer, mark.verdict]));
  const isKept = [...lastVerdicts.values()].some((each) => each !== verdict);
  const other = verdict === 'approved' ? VERDICT_LABELS.changes_requested : VERDICT_LABELS.approved;
  const change = { add: [VERDICT_LABELS[verdict]], remove: isKept ? [] : [other] };
  return planLabelSteps(context, id, listPresentLabels(labels), change, 'review');
}

function planReviewSteps(
  { pullRequest, isRepeated, isNative, labels }: ReviewState,
  review: NewReview,
  body: string,
): readonly MutationStep[] {
  const event = isNative ? EVENTS[review.verdict] : 'COMMENT';
  const input = { pullRequestId: pullRequest.id, commitOID: review.sha, event, body };
  return [...(isRepeated ? [] : [createStep('addPullRequestReview', input)]), ...labels];
}

type ReviewedRepository = FoundRepository<BeforeReviewingQuery>;
type ReviewedPullRequest = ReviewedRepository['pullRequest'];

async function askReviewedRepository(context: GithubForgeContext, number: number, sha: string) {
  let last: ReviewedRepository | undefined;
  const reviews = await collectBackward(async (before) => {
    last = await askRepository<BeforeReviewingQuery>(context, BEFORE_REVIEWING, { number, sha, before });
    const page = last.pullRequest.reviews;
    // Without the existing reviews, the same review could be submitted twice.
    if (page === null)
      throw new LegionError(
        'github.unavailable',
        `GitHub does not show the reviews of pull request ${number}`,
      );
    return { pageInfo: page.pageInfo, nodes: page.nodes ?? [] };
  });
  return { ...(last as unknown as ReviewedRepository), reviews: reviews.filter((each) => each !== null) };
}

function createUnknownCommitFault(): LegionError {
  return new LegionError('input.invalid', 'The reviewed commit does not exist in this repository');
}
