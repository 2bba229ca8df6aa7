/** Which reviews of a pull request count, each with its reviewer, its verdict and its commit. */
import type { Review } from '../../core/model/pull-request.ts';
import { accountName } from '../../github/actor.ts';
import { sameLogin } from '../../github/logins.ts';
import type { IsLegion } from '../../github/own-mark.ts';
import { firstTime } from '../../github/time.ts';
import type { ReviewRecord } from '../../integrations/github/forge/answer-schemas.ts';
import { type ReviewMark, reviewMarkIn } from '../../integrations/github/forge/legion-marks.ts';
import { sameName } from '../clean-text.ts';

/** What Legion's reviewers say by label, where GitHub takes no verdict from the account that opened the pull request. */
export const VERDICT_LABELS: Readonly<Record<Review['verdict'], string>> = {
  approved: 'worker-approved',
  changes_requested: 'worker-changes-requested',
};

const VERDICTS: Readonly<Record<string, Review['verdict']>> = {
  APPROVED: 'approved',
  CHANGES_REQUESTED: 'changes_requested',
};

export interface Given {
  /** The last word of each account that may write, as GitHub itself counts them. */
  readonly opinions: readonly ReviewRecord[];
  /** All that are not dismissed, oldest first. */
  readonly reviews: readonly ReviewRecord[];
  readonly labels: readonly string[];
  /** Who opened the pull request, and the account that did. */
  readonly author: string;
  readonly account: string;
}

export interface Whose {
  /** The account that Legion's reviewers act as. */
  readonly reviewAs: string;
  readonly isLegion: IsLegion;
}

/**
 * A person's review counts by account, as GitHub counts it. Several workers may share one account, so a review of Legion's own
 * counts by the worker its mark names. One that could only be given as a comment counts while the label of its verdict is
 * there: who takes the label away dismisses it, and the label alone says nothing. Nobody's own review counts, nor that of an
 * account of Legion's which is not there to review: an implementer's token is not a second pair of eyes.
 */
export function countedReviews(given: Given, whose: Whose): readonly Review[] {
  const ofPeople = given.opinions.flatMap((answer) => {
    const verdict = VERDICTS[answer.state];
    const account = accountName(answer.author);
    if (verdict === undefined || (whose.isLegion(account) && !sameLogin(account, whose.reviewAs))) return [];
    return legionReview(answer, whose) === undefined ? reviewOf(answer, account, verdict) : [];
  });
  const ofWorkers = legionReviews(given.reviews, whose).flatMap(({ answer, mark }) =>
    holds(answer, mark, given, whose) ? reviewOf(answer, mark.reviewer, mark.verdict) : [],
  );
  return [...ofPeople, ...ofWorkers]
    .filter(({ reviewer }) => !sameName(reviewer, given.author))
    .toSorted((one, other) => one.at - other.at);
}

export interface LegionReview {
  readonly answer: ReviewRecord;
  readonly mark: ReviewMark;
}

export function legionReviews(reviews: readonly ReviewRecord[], whose: Whose): readonly LegionReview[] {
  return reviews.flatMap((answer) => {
    const mark = legionReview(answer, whose);
    return mark === undefined ? [] : [{ answer, mark }];
  });
}

/** The mark alone does not make it Legion's: anybody can write one. And it must be of the commit it names. */
function legionReview({ author, body, commit }: ReviewRecord, { reviewAs }: Whose): ReviewMark | undefined {
  const mark = sameLogin(accountName(author), reviewAs) ? reviewMarkIn(body) : undefined;
  return mark?.sha === commit?.oid ? mark : undefined;
}

/** As a comment only where GitHub would take no verdict: from the account that opened the pull request. */
function holds({ state }: ReviewRecord, { verdict }: ReviewMark, given: Given, { reviewAs }: Whose): boolean {
  if (state !== 'COMMENTED') return VERDICTS[state] === verdict;
  return sameLogin(given.account, reviewAs) && given.labels.includes(VERDICT_LABELS[verdict]);
}

/** A commit that GitHub has forgotten voids what was said of it. */
function reviewOf(
  { commit, createdAt }: ReviewRecord,
  reviewer: string,
  verdict: Review['verdict'],
): Review[] {
  return commit === null ? [] : [{ reviewer, verdict, sha: commit.oid, at: firstTime(createdAt) ?? 0 }];
}
