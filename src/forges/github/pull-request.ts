/** One pull request as the port has it, from what GitHub answered. */

import type { PullRequest } from '../../core/model/pull-request.ts';
import { plainLine, plainText } from '../../domain/plain-text.ts';
import { accountName } from '../../github/actor.ts';
import { asWritten } from '../../github/published-text.ts';
import type {
  FullPullRequest,
  LightPullRequest,
  ReviewRecord,
} from '../../integrations/github/forge/answer-schemas.ts';
import { ciStatus } from '../../integrations/github/forge/ci-status.ts';
import { pullRequestMarkIn } from '../../integrations/github/forge/legion-marks.ts';
import type { ForgePullRequest } from '../../ports/forge.ts';
import { countedReviews, type Whose } from './reviews.ts';

export type Size = Pick<PullRequest, 'additions' | 'deletions' | 'changedFiles'>;

/** What stays as long as GitHub does not say that the pull request was updated. */
export type Lasting = Size &
  Pick<ForgePullRequest, 'number' | 'branch' | 'title' | 'body' | 'author' | 'labels' | 'reviews'> & {
    readonly mergedSha?: string;
  };

/** `reviews` are all of them, also those of earlier pages; undefined where they could not be read. */
export function lasting(
  answer: FullPullRequest,
  size: Size,
  reviews: readonly ReviewRecord[] | undefined,
  whose: Whose,
): Lasting {
  const account = accountName(answer.author);
  const author = authorOf(answer, whose);
  const labels = (answer.labels?.nodes ?? []).flatMap((label) => plainLine(label?.name ?? '') || []);
  const opinions = answer.opinions?.nodes?.filter((each) => each !== null);
  return {
    ...size,
    number: answer.number,
    branch: answer.headRefName,
    title: plainLine(answer.title),
    body: plainText(asWritten(answer.body)),
    author,
    labels,
    reviews:
      opinions === undefined || reviews === undefined
        ? 'unknown'
        : countedReviews({ opinions, reviews, labels, author, account }, whose),
    ...(answer.mergeCommit === null ? {} : { mergedSha: answer.mergeCommit.oid }),
  };
}

/** The worker that opened it, where Legion did; else the account. */
export function authorOf(
  { author, body }: Pick<FullPullRequest, 'author' | 'body'>,
  { isLegion }: Pick<Whose, 'isLegion'>,
): string {
  const account = accountName(author);
  return (isLegion(account) ? pullRequestMarkIn(body)?.author : undefined) ?? account;
}

const MERGEABLE: ReadonlyMap<string, ForgePullRequest['mergeable']> = new Map([
  ['MERGEABLE', 'mergeable'],
  ['CONFLICTING', 'conflicting'],
]);

export interface Around {
  readonly baseSha: string;
  /** Checks the base's protection asks for that this head does not have yet. */
  readonly missing: readonly string[];
  /** Half of the answer may be missing: nothing then says "none". */
  readonly isPartial: boolean;
}

/** A merged one was mergeable; GitHub no longer says. */
export function asPullRequest(
  lasts: Lasting,
  light: LightPullRequest,
  { baseSha, missing, isPartial }: Around,
): ForgePullRequest {
  const isMerged = light.state === 'MERGED';
  return {
    ...lasts,
    state: isMerged ? 'merged' : 'open',
    draft: light.isDraft,
    headSha: light.headRefOid,
    baseSha,
    mergeable: isMerged ? 'mergeable' : (MERGEABLE.get(light.mergeable) ?? 'unknown'),
    ci:
      isPartial && light.statusCheckRollup === null ? 'unknown' : ciStatus(light.statusCheckRollup, missing),
  };
}
