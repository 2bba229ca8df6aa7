/** Fields of pull requests, their reviews and the files they change. */
import { association } from '../../model/access.ts';
import { closingIssues } from '../../model/closing-keywords.ts';
import { type MergeState, tellMergeState } from '../../model/merge-state.ts';
import type { PullRequest, Review, ReviewRemark } from '../../model/nodes.ts';
import { latestOpinions, mayWrite, reviewDecision } from '../../model/reviews.ts';
import { connection, type Page } from '../connection.ts';
import type { Context, Resolver, Table } from '../context.ts';
import { Shape, time } from '../shape.ts';
import { commitOf, refOf, rollupShape } from './checks.ts';
import { timelineItems } from './issue.ts';
import { ANY_THREAD } from './thread.ts';
import { threadPath } from './urls.ts';

const REMARKED: Readonly<Record<string, Resolver>> = {
  id: (it: Review | ReviewRemark) => it.id,
  databaseId: (it: Review | ReviewRemark) => it.databaseId,
  fullDatabaseId: (it: Review | ReviewRemark) => String(it.databaseId),
  body: (it: Review | ReviewRemark) => it.body,
  bodyText: (it: Review | ReviewRemark) => it.body,
  createdAt: (it: Review | ReviewRemark) => time(it.createdAt),
  publishedAt: (it: Review | ReviewRemark) => time(it.createdAt),
  updatedAt: (it: Review | ReviewRemark) => time(it.createdAt),
};

export const PULL_REQUEST: Table = {
  PullRequest: {
    ...ANY_THREAD,
    isDraft: (it: PullRequest) => it.draft,
    merged: (it: PullRequest) => it.merged !== undefined,
    mergedAt: (it: PullRequest) => time(it.merged?.at),
    mergedBy: (it: PullRequest) => it.merged?.by ?? null,
    mergeCommit: (it: PullRequest) =>
      it.merged === undefined ? null : commitOf(it.repository, it.merged.oid),
    mergeable: async (it: PullRequest, _: unknown, context: Context) =>
      (await mergeState(it, context)).mergeable,
    mergeStateStatus: async (it: PullRequest, _: unknown, context: Context) =>
      (await mergeState(it, context)).status,
    headRefName: (it: PullRequest) => it.head,
    headRefOid: (it: PullRequest) => it.headOid,
    headRef: (it: PullRequest) => refOf(it.repository, it.head),
    headRepository: (it: PullRequest) => it.repository,
    headRepositoryOwner: (it: PullRequest) => it.repository.owner,
    isCrossRepository: () => false,
    baseRefName: (it: PullRequest) => it.base,
    baseRefOid: (it: PullRequest) => it.baseOid,
    baseRef: (it: PullRequest) => refOf(it.repository, it.base),
    baseRepository: (it: PullRequest) => it.repository,
    additions: async (it: PullRequest, _: unknown, context: Context) =>
      (await files(it, context)).reduce((sum, { additions }) => sum + additions, 0),
    deletions: async (it: PullRequest, _: unknown, context: Context) =>
      (await files(it, context)).reduce((sum, { deletions }) => sum + deletions, 0),
    changedFiles: async (it: PullRequest, _: unknown, context: Context) => (await files(it, context)).length,
    files: async (it: PullRequest, page: Page, context: Context) => {
      const shapes = (await files(it, context)).map(
        ({ path, change, additions, deletions }) =>
          new Shape('PullRequestChangedFile', { path, changeType: change, additions, deletions }),
      );
      return connection('PullRequestChangedFileConnection', shapes, page);
    },
    commits: async (it: PullRequest, page: Page, { facts }: Context) => {
      const oids = await facts.commits(it.repository.folder, it.baseOid, it.headOid);
      const shapes = oids.map(
        (oid) =>
          new Shape('PullRequestCommit', {
            id: `PRC_${oid}`,
            commit: commitOf(it.repository, oid),
            pullRequest: it,
          }),
      );
      return connection('PullRequestCommitConnection', shapes, page);
    },
    statusCheckRollup: (it: PullRequest) => rollupShape(it.repository, it.headOid),
    reviewDecision: (it: PullRequest) => reviewDecision(it),
    reviews: (it: PullRequest, page: Page & { author?: string | null; states?: string[] | null }) => {
      const { author: by, states } = page;
      const found = it.reviews.filter(
        ({ author, state }) =>
          (by == null || author.login === by) && (states == null || states.includes(state)),
      );
      return connection('PullRequestReviewConnection', found, page);
    },
    latestReviews: (it: PullRequest, page: Page) => {
      const latest = new Map(it.reviews.map((review) => [review.author, review]));
      return connection('PullRequestReviewConnection', [...latest.values()], page);
    },
    latestOpinionatedReviews: (it: PullRequest, page: Page & { writersOnly?: boolean }) =>
      connection('PullRequestReviewConnection', latestOpinions(it, page.writersOnly ?? false), page),
    closingIssuesReferences: (it: PullRequest, page: Page) =>
      connection('IssueConnection', closingIssues(it), page),
    timelineItems,
    autoMergeRequest: () => null,
    isInMergeQueue: () => false,
    isMergeQueueEnabled: () => false,
  },
  PullRequestReview: {
    ...REMARKED,
    author: (it: Review) => it.author,
    authorAssociation: (it: Review) => association(it.on.repository, it.author),
    authorCanPushToRepository: (it: Review) => mayWrite(it.on, it.author),
    state: (it: Review) => it.state,
    submittedAt: (it: Review) => time(it.createdAt),
    commit: (it: Review) => commitOf(it.on.repository, it.oid),
    pullRequest: (it: Review) => it.on,
    repository: (it: Review) => it.on.repository,
    viewerDidAuthor: (it: Review, _: unknown, { token }: Context) => it.author === token.account,
    comments: (it: Review, page: Page) => connection('PullRequestReviewCommentConnection', it.remarks, page),
    url: (it: Review, _: unknown, { url }: Context) =>
      `${url}${threadPath(it.on)}#pullrequestreview-${it.databaseId}`,
  },
  PullRequestReviewComment: {
    ...REMARKED,
    author: (it: ReviewRemark) => it.review.author,
    authorAssociation: (it: ReviewRemark) => association(it.review.on.repository, it.review.author),
    path: (it: ReviewRemark) => it.path,
    line: (it: ReviewRemark) => it.line,
    originalLine: (it: ReviewRemark) => it.line,
    diffHunk: () => '',
    outdated: (it: ReviewRemark) => it.review.oid !== it.review.on.headOid,
    commit: (it: ReviewRemark) => commitOf(it.review.on.repository, it.review.oid),
    pullRequest: (it: ReviewRemark) => it.review.on,
    pullRequestReview: (it: ReviewRemark) => it.review,
    repository: (it: ReviewRemark) => it.review.on.repository,
    replyTo: () => null,
    state: () => 'SUBMITTED',
    url: (it: ReviewRemark, _: unknown, { url }: Context) =>
      `${url}${threadPath(it.review.on)}#discussion_r${it.databaseId}`,
  },
};

function mergeState(pullRequest: PullRequest, { told, facts }: Context): Promise<MergeState> {
  const known = told.get(pullRequest) ?? tellMergeState(pullRequest, facts);
  told.set(pullRequest, known);
  return known;
}

function files({ repository, baseOid, headOid }: PullRequest, { facts }: Context) {
  return facts.files(repository.folder, baseOid, headOid);
}
