/** Gives a worker's review: GitHub's own where the accounts differ, a commenting one with a label where they do not. */

import { LegionError } from '../../core/model/fault.ts';
import { accountName } from '../../github/actor.ts';
import { makeChanges, type Step, step } from '../../github/in-one-request.ts';
import { sameLogin } from '../../github/logins.ts';
import { asWritten } from '../../github/published-text.ts';
import { markReview } from '../../integrations/github/forge/legion-marks.ts';
import type { BeforeReviewingQuery } from '../../integrations/github/generated/forge.ts';
import { allBackward } from '../../lib/paginate.ts';
import type { NewReview } from '../../ports/forge.ts';
import { cleanBody, cleanName, sameName } from '../clean-text.ts';
import { SHA } from '../sha.ts';
import { askRepository, type FoundRepository } from './ask-one.ts';
import type { Desk } from './desk.ts';
import { labelChange, presentLabels } from './labels.ts';
import { authorOf } from './pull-request.ts';
import { type LegionReview, legionReviews, VERDICT_LABELS } from './reviews.ts';
import { BEFORE_REVIEWING } from './write-documents.ts';

const EVENTS = { approved: 'APPROVE', changes_requested: 'REQUEST_CHANGES' } as const;

/**
 * Said again by the same reviewer it is one review; said after something else it is a new one, which counts. Review and label go
 * out as one request, and after a lost answer only what is still missing goes out again.
 */
export async function review(desk: Desk, number: number, given: NewReview): Promise<void> {
  const reviewer = cleanName(given.reviewer);
  const made = { ...given, reviewer, text: cleanBody(given.text) };
  const { verdict, sha } = made;
  if (!SHA.test(sha)) throw unknownCommit();
  const body = markReview(made.text, { reviewer, verdict, sha });
  const before = await look(desk, number, made);
  const steps = stepsFor(before, made, body);
  if (steps.length === 0) return;
  if (!before.isSaid && before.pullRequest.state !== 'OPEN')
    throw new LegionError(
      'forge.not_open',
      `pull request ${number} is ${before.pullRequest.state.toLowerCase()}`,
    );
  try {
    await makeChanges(desk.client, 'ReviewPullRequest', steps, { as: 'review' });
  } catch (error) {
    if (!(error instanceof LegionError) || error.code !== 'github.unavailable') throw error;
    if (stepsFor(await look(desk, number, made), made, body).length > 0) throw error;
  } finally {
    desk.changed(before.pullRequest.headRefName);
  }
}

interface Look {
  readonly pullRequest: ReviewedPullRequest;
  /** This very review is there. */
  readonly isSaid: boolean;
  /** GitHub takes no verdict from whoever opened the pull request. */
  readonly isNative: boolean;
  readonly labels: readonly Step[];
}

async function look(desk: Desk, number: number, made: NewReview): Promise<Look> {
  const reviewAs = await desk.client.login('review');
  const whose = { reviewAs, isLegion: desk.isLegion };
  const { object, pullRequest, reviews } = await askAll(desk, number, made.sha);
  if (object?.oid !== made.sha) throw unknownCommit();
  const author = authorOf(pullRequest, whose);
  if (sameName(made.reviewer, author)) {
    throw new LegionError('forge.own_review', `${author} opened pull request ${number}`);
  }
  const isNative = !sameLogin(accountName(pullRequest.author), reviewAs);
  const all = legionReviews(reviews, whose);
  const last = all.findLast(({ mark }) => sameName(mark.reviewer, made.reviewer));
  const isSaid = last !== undefined && isSame(last, made, isNative);
  const labels = isNative ? [] : await labelsFor(desk, pullRequest, all, made);
  return { pullRequest, isSaid, isNative, labels };
}

function isSame({ answer, mark }: LegionReview, made: NewReview, isNative: boolean): boolean {
  const isKind = (answer.state === 'COMMENTED') !== isNative;
  const isText = asWritten(answer.body).trim() === made.text.trim();
  return isKind && isText && mark.verdict === made.verdict && mark.sha === made.sha;
}

/** The other verdict's label goes, unless it is another reviewer's last word. */
function labelsFor(
  desk: Desk,
  { id, labels }: ReviewedPullRequest,
  all: readonly LegionReview[],
  { reviewer, verdict }: NewReview,
): Promise<readonly Step[]> {
  const others = all.filter(({ mark }) => !sameName(mark.reviewer, reviewer));
  const lastOf = new Map(others.map(({ mark }) => [mark.reviewer, mark.verdict]));
  const stays = [...lastOf.values()].some((each) => each !== verdict);
  const other = verdict === 'approved' ? VERDICT_LABELS.changes_requested : VERDICT_LABELS.approved;
  const change = { add: [VERDICT_LABELS[verdict]], remove: stays ? [] : [other] };
  return labelChange(desk, id, presentLabels(labels), change, 'review');
}

function stepsFor(
  { pullRequest, isSaid, isNative, labels }: Look,
  made: NewReview,
  body: string,
): readonly Step[] {
  const event = isNative ? EVENTS[made.verdict] : 'COMMENT';
  const input = { pullRequestId: pullRequest.id, commitOID: made.sha, event, body };
  return [...(isSaid ? [] : [step('addPullRequestReview', input)]), ...labels];
}

type ReviewedRepository = FoundRepository<BeforeReviewingQuery>;
type ReviewedPullRequest = ReviewedRepository['pullRequest'];

async function askAll(desk: Desk, number: number, sha: string) {
  let last: ReviewedRepository | undefined;
  const reviews = await allBackward(async (before) => {
    last = await askRepository<BeforeReviewingQuery>(desk, BEFORE_REVIEWING, { number, sha, before });
    const page = last.pullRequest.reviews;
    // Without the reviews that are there, the same one could be given twice.
    if (page === null)
      throw new LegionError(
        'github.unavailable',
        `GitHub does not show the reviews of pull request ${number}`,
      );
    return { pageInfo: page.pageInfo, nodes: page.nodes ?? [] };
  });
  return { ...(last as unknown as ReviewedRepository), reviews: reviews.filter((each) => each !== null) };
}

function unknownCommit(): LegionError {
  return new LegionError('input.invalid', 'the review names no commit of this repository');
}
