/**
 * Converts GitHub's responses into the forge port's pull request: picks the one that belongs to the
 * branch, and selects the reviews that are valid.
 */
import { toPlainLine, toPlainText } from '../../../core/model/format.ts';
import type { PullRequest, PullRequestReview } from '../../../core/model/pull-request.ts';
import type { ForgePullRequest } from '../../../ports/forge.ts';
import { isSameName } from '../../forge-support/clean-text.ts';
import { isSameLogin, toAccountName } from '../client/client.ts';
import type { IsLegion } from '../client/published-text.ts';
import { restoreWrittenText } from '../client/published-text.ts';
import { parseFirstTime } from '../client/time.ts';
import type { FullPullRequest, LightPullRequest, LinkedPullRequest, ReviewRecord } from './answer-schemas.ts';
import { computeCiStatus } from './ci-status.ts';
import type { RepositoryName } from './context.ts';
import { findPullRequestMark, findReviewMark, type ReviewMark } from './legion-marks.ts';

export type PullRequestSize = Pick<PullRequest, 'additions' | 'deletions' | 'changedFiles'>;

/** Fields that stay valid until GitHub reports an update of the pull request. */
export type LastingPullRequest = PullRequestSize &
  Pick<ForgePullRequest, 'number' | 'branch' | 'title' | 'body' | 'author' | 'labels' | 'reviews'> & {
    readonly mergedSha?: string;
  };

/** `reviews` includes reviews on earlier pages. It is undefined if they could not be read. */
export function toLastingPullRequest(
  answer: FullPullRequest,
  size: PullRequestSize,
  reviews: readonly ReviewRecord[] | undefined,
  accounts: ReviewAccounts,
): LastingPullRequest {
  const account = toAccountName(answer.author);
  const author = resolveAuthor(answer, accounts);
  const labels = (answer.labels?.nodes ?? []).flatMap((label) => toPlainLine(label?.name ?? '') || []);
  const opinions = answer.opinions?.nodes?.filter((each) => each !== null);
  return {
    ...size,
    number: answer.number,
    branch: answer.headRefName,
    title: toPlainLine(answer.title),
    body: toPlainText(restoreWrittenText(answer.body)),
    author,
    labels,
    reviews:
      opinions === undefined || reviews === undefined
        ? 'unknown'
        : selectCountedReviews({ opinions, reviews, labels, author, account }, accounts),
    ...(answer.mergeCommit === null ? {} : { mergedSha: answer.mergeCommit.oid }),
  };
}

/** Returns the worker that opened the pull request, or the account if Legion did not open it. */
export function resolveAuthor(
  { author, body }: Pick<FullPullRequest, 'author' | 'body'>,
  { isLegion }: Pick<ReviewAccounts, 'isLegion'>,
): string {
  const account = toAccountName(author);
  return (isLegion(account) ? findPullRequestMark(body)?.author : undefined) ?? account;
}

const MERGEABLE: ReadonlyMap<string, ForgePullRequest['mergeable']> = new Map([
  ['MERGEABLE', 'mergeable'],
  ['CONFLICTING', 'conflicting'],
]);

export interface PullRequestContext {
  readonly baseSha: string;
  /** Required checks that this head does not have yet. */
  readonly missing: readonly string[];
  /** True if the response may be incomplete, so that a missing value does not mean "none". */
  readonly isPartial: boolean;
}

/** Treats a merged pull request as mergeable, since GitHub no longer reports its mergeability. */
export function toPullRequest(
  lasting: LastingPullRequest,
  light: LightPullRequest,
  { baseSha, missing, isPartial }: PullRequestContext,
): ForgePullRequest {
  const isMerged = light.state === 'MERGED';
  return {
    ...lasting,
    state: isMerged ? 'merged' : 'open',
    draft: light.isDraft,
    headSha: light.headRefOid,
    baseSha,
    mergeable: isMerged ? 'mergeable' : (MERGEABLE.get(light.mergeable) ?? 'unknown'),
    ci:
      isPartial && light.statusCheckRollup === null
        ? 'unknown'
        : computeCiStatus(light.statusCheckRollup, missing),
  };
}

/**
 * `more` means that none of the given pull requests is the one to pick, and further pages exist.
 */
export type PullRequestChoice<T> = T | 'none' | 'unknown' | 'more';

/**
 * Picks a branch's pull request from several: the open one, or the last merged one if none is open,
 * but never one from a fork. The list must start with the newest. Returns `unknown` if an entry is
 * missing, because it may be the wanted one.
 */
export function choosePullRequest<T extends LightPullRequest>(
  nodes: readonly (T | null)[],
  hasMore: boolean,
): PullRequestChoice<T> {
  const own = nodes.filter((each) => each !== null && !each.isCrossRepository) as T[];
  const open = own.find(({ state }) => state === 'OPEN');
  if (open !== undefined) return open;
  if (nodes.includes(null)) return 'unknown';
  if (hasMore) return 'more';
  return own.find(({ state }) => state === 'MERGED') ?? 'none';
}

interface BranchPullRequests<T> {
  readonly pullRequests: {
    readonly pageInfo: { readonly hasNextPage: boolean };
    readonly nodes: readonly (T | null)[] | null;
  };
}

export function chooseOfBranch<T extends LightPullRequest>({
  pullRequests,
}: BranchPullRequests<T>): PullRequestChoice<T> {
  return choosePullRequest(pullRequests.nodes ?? [null], pullRequests.pageInfo.hasNextPage);
}

/**
 * Considers only pull requests of this repository into its base, because pull requests elsewhere
 * may also claim to close the issue.
 */
export function chooseLinked(
  nodes: readonly (LinkedPullRequest | null)[],
  { owner, name }: RepositoryName,
  base: string,
): PullRequestChoice<LinkedPullRequest> {
  const ownName = `${owner}/${name}`.toLowerCase();
  const ours = nodes.filter(
    (each) =>
      each === null || (each.repository.nameWithOwner.toLowerCase() === ownName && each.baseRefName === base),
  );
  return choosePullRequest(
    ours.toSorted((one, other) => (other?.number ?? 0) - (one?.number ?? 0)),
    false,
  );
}

/**
 * Labels for the verdicts of Legion's reviewers. Used if the reviewing account also opened the pull
 * request, because GitHub then accepts no verdict from it.
 */
export const VERDICT_LABELS: Readonly<Record<PullRequestReview['verdict'], string>> = {
  approved: 'worker-approved',
  changes_requested: 'worker-changes-requested',
};

const VERDICTS: Readonly<Record<string, PullRequestReview['verdict']>> = {
  APPROVED: 'approved',
  CHANGES_REQUESTED: 'changes_requested',
};

interface ReviewInputs {
  /** The last review of each account with write access. GitHub considers only these reviews. */
  readonly opinions: readonly ReviewRecord[];
  /** All reviews that are not dismissed, oldest first. */
  readonly reviews: readonly ReviewRecord[];
  readonly labels: readonly string[];
  /**
   * The pull request's author: a worker or an account. `account` is the account that opened the
   * pull request.
   */
  readonly author: string;
  readonly account: string;
}

export interface ReviewAccounts {
  /** The account of Legion's reviewers. */
  readonly reviewAs: string;
  readonly isLegion: IsLegion;
}

/**
 * Selects the valid reviews of a pull request, each with reviewer, verdict and commit.
 * - A person's reviews are assigned to their account, as on GitHub. Legion's reviews are assigned
 *   to the worker in their marker, because workers may share one account.
 * - A review that could only be given as a comment is valid while its verdict label is present.
 *   Removing the label dismisses the review, and the label alone means nothing.
 * - An author's own review is never valid. Neither is a review by a Legion account that is not the
 *   reviewer's: an implementer's token is not a second pair of eyes.
 */
function selectCountedReviews(inputs: ReviewInputs, accounts: ReviewAccounts): readonly PullRequestReview[] {
  const ofPeople = inputs.opinions.flatMap((answer) => {
    const verdict = VERDICTS[answer.state];
    const account = toAccountName(answer.author);
    if (verdict === undefined || (accounts.isLegion(account) && !isSameLogin(account, accounts.reviewAs)))
      return [];
    return findLegionReviewMark(answer, accounts) === undefined ? toReviews(answer, account, verdict) : [];
  });
  const ofWorkers = listLegionReviews(inputs.reviews, accounts).flatMap(({ answer, mark }) =>
    isInForce(answer, mark, inputs, accounts) ? toReviews(answer, mark.reviewer, mark.verdict) : [],
  );
  return [...ofPeople, ...ofWorkers]
    .filter(({ reviewer }) => !isSameName(reviewer, inputs.author))
    .toSorted((one, other) => one.at - other.at);
}

export interface LegionReview {
  readonly answer: ReviewRecord;
  readonly mark: ReviewMark;
}

export function listLegionReviews(
  reviews: readonly ReviewRecord[],
  accounts: ReviewAccounts,
): readonly LegionReview[] {
  return reviews.flatMap((answer) => {
    const mark = findLegionReviewMark(answer, accounts);
    return mark === undefined ? [] : [{ answer, mark }];
  });
}

/**
 * Accepts a marker only in a review by the reviewer's account, because anyone can write a marker,
 * and only if the marker specifies the reviewed commit.
 */
function findLegionReviewMark(
  { author, body, commit }: ReviewRecord,
  { reviewAs }: ReviewAccounts,
): ReviewMark | undefined {
  const mark = isSameLogin(toAccountName(author), reviewAs) ? findReviewMark(body) : undefined;
  return mark?.sha === commit?.oid ? mark : undefined;
}

/**
 * Accepts a comment review only if GitHub would reject a verdict, that is, if the reviewing account
 * also opened the pull request.
 */
function isInForce(
  { state }: ReviewRecord,
  { verdict }: ReviewMark,
  inputs: ReviewInputs,
  { reviewAs }: ReviewAccounts,
): boolean {
  if (state !== 'COMMENTED') return VERDICTS[state] === verdict;
  return isSameLogin(inputs.account, reviewAs) && inputs.labels.includes(VERDICT_LABELS[verdict]);
}

/** Drops a review whose commit GitHub no longer has. */
function toReviews(
  { commit, createdAt }: ReviewRecord,
  reviewer: string,
  verdict: PullRequestReview['verdict'],
): PullRequestReview[] {
  return commit === null ? [] : [{ reviewer, verdict, sha: commit.oid, at: parseFirstTime(createdAt) ?? 0 }];
}
