/** Resolves fields of pull requests, their reviews and changed files. */
import { getAuthorAssociation } from '../../model/access.ts';
import { findClosingIssues } from '../../model/closing-keywords.ts';
import { type MergeState, resolveMergeState } from '../../model/merge-state.ts';
import type { PullRequest, Review, ReviewRemark } from '../../model/nodes.ts';
import { canWrite, computeReviewDecision, listLatestOpinions } from '../../model/reviews.ts';
import { buildConnection, type PageArguments } from '../connection.ts';
import type { GithubResolver, GithubResolverContext, GithubResolverTable } from '../context.ts';
import { formatGithubTime, SchemaValue } from '../shape.ts';
import { findRefNode, toCommitNode, toRollupValue } from './checks.ts';
import { listTimelineItems } from './issue.ts';
import { ANY_THREAD } from './thread.ts';
import { toThreadPath } from './urls.ts';

const REMARKED: Readonly<Record<string, GithubResolver>> = {
  id: (it: Review | ReviewRemark) => it.id,
  databaseId: (it: Review | ReviewRemark) => it.databaseId,
  fullDatabaseId: (it: Review | ReviewRemark) => String(it.databaseId),
  body: (it: Review | ReviewRemark) => it.body,
  bodyText: (it: Review | ReviewRemark) => it.body,
  createdAt: (it: Review | ReviewRemark) => formatGithubTime(it.createdAt),
  publishedAt: (it: Review | ReviewRemark) => formatGithubTime(it.createdAt),
  updatedAt: (it: Review | ReviewRemark) => formatGithubTime(it.createdAt),
};

export const PULL_REQUEST: GithubResolverTable = {
  PullRequest: {
    ...ANY_THREAD,
    isDraft: (it: PullRequest) => it.draft,
    merged: (it: PullRequest) => it.merged !== undefined,
    mergedAt: (it: PullRequest) => formatGithubTime(it.merged?.at),
    mergedBy: (it: PullRequest) => it.merged?.by ?? null,
    mergeCommit: (it: PullRequest) =>
      it.merged === undefined ? null : toCommitNode(it.repository, it.merged.oid),
    mergeable: async (it: PullRequest, _: unknown, context: GithubResolverContext) =>
      (await mergeState(it, context)).mergeable,
    mergeStateStatus: async (it: PullRequest, _: unknown, context: GithubResolverContext) =>
      (await mergeState(it, context)).status,
    headRefName: (it: PullRequest) => it.head,
    headRefOid: (it: PullRequest) => it.headOid,
    headRef: (it: PullRequest) => findRefNode(it.repository, it.head),
    headRepository: (it: PullRequest) => it.repository,
    headRepositoryOwner: (it: PullRequest) => it.repository.owner,
    isCrossRepository: () => false,
    baseRefName: (it: PullRequest) => it.base,
    baseRefOid: (it: PullRequest) => it.baseOid,
    baseRef: (it: PullRequest) => findRefNode(it.repository, it.base),
    baseRepository: (it: PullRequest) => it.repository,
    additions: async (it: PullRequest, _: unknown, context: GithubResolverContext) =>
      (await listChangedFiles(it, context)).reduce((sum, { additions }) => sum + additions, 0),
    deletions: async (it: PullRequest, _: unknown, context: GithubResolverContext) =>
      (await listChangedFiles(it, context)).reduce((sum, { deletions }) => sum + deletions, 0),
    changedFiles: async (it: PullRequest, _: unknown, context: GithubResolverContext) =>
      (await listChangedFiles(it, context)).length,
    files: async (it: PullRequest, page: PageArguments, context: GithubResolverContext) => {
      const shapes = (await listChangedFiles(it, context)).map(
        ({ path, change, additions, deletions }) =>
          new SchemaValue('PullRequestChangedFile', { path, changeType: change, additions, deletions }),
      );
      return buildConnection('PullRequestChangedFileConnection', shapes, page);
    },
    commits: async (it: PullRequest, page: PageArguments, { facts }: GithubResolverContext) => {
      const oids = await facts.commits(it.repository.folder, it.baseOid, it.headOid);
      const shapes = oids.map(
        (oid) =>
          new SchemaValue('PullRequestCommit', {
            id: `PRC_${oid}`,
            commit: toCommitNode(it.repository, oid),
            pullRequest: it,
          }),
      );
      return buildConnection('PullRequestCommitConnection', shapes, page);
    },
    statusCheckRollup: (it: PullRequest) => toRollupValue(it.repository, it.headOid),
    reviewDecision: (it: PullRequest) => computeReviewDecision(it),
    reviews: (
      it: PullRequest,
      page: PageArguments & { author?: string | null; states?: string[] | null },
    ) => {
      const { author: by, states } = page;
      const found = it.reviews.filter(
        ({ author, state }) =>
          (by == null || author.login === by) && (states == null || states.includes(state)),
      );
      return buildConnection('PullRequestReviewConnection', found, page);
    },
    latestReviews: (it: PullRequest, page: PageArguments) => {
      const latest = new Map(it.reviews.map((review) => [review.author, review]));
      return buildConnection('PullRequestReviewConnection', [...latest.values()], page);
    },
    latestOpinionatedReviews: (it: PullRequest, page: PageArguments & { writersOnly?: boolean }) =>
      buildConnection('PullRequestReviewConnection', listLatestOpinions(it, page.writersOnly ?? false), page),
    closingIssuesReferences: (it: PullRequest, page: PageArguments) =>
      buildConnection('IssueConnection', findClosingIssues(it), page),
    timelineItems: listTimelineItems,
    autoMergeRequest: () => null,
    isInMergeQueue: () => false,
    isMergeQueueEnabled: () => false,
  },
  PullRequestReview: {
    ...REMARKED,
    author: (it: Review) => it.author,
    authorAssociation: (it: Review) => getAuthorAssociation(it.on.repository, it.author),
    authorCanPushToRepository: (it: Review) => canWrite(it.on, it.author),
    state: (it: Review) => it.state,
    submittedAt: (it: Review) => formatGithubTime(it.createdAt),
    commit: (it: Review) => toCommitNode(it.on.repository, it.oid),
    pullRequest: (it: Review) => it.on,
    repository: (it: Review) => it.on.repository,
    viewerDidAuthor: (it: Review, _: unknown, { token }: GithubResolverContext) =>
      it.author === token.account,
    comments: (it: Review, page: PageArguments) =>
      buildConnection('PullRequestReviewCommentConnection', it.remarks, page),
    url: (it: Review, _: unknown, { url }: GithubResolverContext) =>
      `${url}${toThreadPath(it.on)}#pullrequestreview-${it.databaseId}`,
  },
  PullRequestReviewComment: {
    ...REMARKED,
    author: (it: ReviewRemark) => it.review.author,
    authorAssociation: (it: ReviewRemark) => getAuthorAssociation(it.review.on.repository, it.review.author),
    path: (it: ReviewRemark) => it.path,
    line: (it: ReviewRemark) => it.line,
    originalLine: (it: ReviewRemark) => it.line,
    diffHunk: () => '',
    outdated: (it: ReviewRemark) => it.review.oid !== it.review.on.headOid,
    commit: (it: ReviewRemark) => toCommitNode(it.review.on.repository, it.review.oid),
    pullRequest: (it: ReviewRemark) => it.review.on,
    pullRequestReview: (it: ReviewRemark) => it.review,
    repository: (it: ReviewRemark) => it.review.on.repository,
    replyTo: () => null,
    state: () => 'SUBMITTED',
    url: (it: ReviewRemark, _: unknown, { url }: GithubResolverContext) =>
      `${url}${toThreadPath(it.review.on)}#discussion_r${it.databaseId}`,
  },
};

function mergeState(pullRequest: PullRequest, { told, facts }: GithubResolverContext): Promise<MergeState> {
  const known = told.get(pullRequest) ?? resolveMergeState(pullRequest, facts);
  told.set(pullRequest, known);
  return known;
}

function listChangedFiles({ repository, baseOid, headOid }: PullRequest, { facts }: GithubResolverContext) {
  return facts.files(repository.folder, baseOid, headOid);
}
