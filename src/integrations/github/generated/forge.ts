/** Written by `npm run graphql:types` from the GraphQL documents and the schema of the service. */

export type CheckConclusionState =
  | 'ACTION_REQUIRED'
  | 'CANCELLED'
  | 'FAILURE'
  | 'NEUTRAL'
  | 'SKIPPED'
  | 'STALE'
  | 'STARTUP_FAILURE'
  | 'SUCCESS'
  | 'TIMED_OUT'
  | '%future added value';

export type CheckRunState =
  | 'ACTION_REQUIRED'
  | 'CANCELLED'
  | 'COMPLETED'
  | 'FAILURE'
  | 'IN_PROGRESS'
  | 'NEUTRAL'
  | 'PENDING'
  | 'QUEUED'
  | 'SKIPPED'
  | 'STALE'
  | 'STARTUP_FAILURE'
  | 'SUCCESS'
  | 'TIMED_OUT'
  | 'WAITING'
  | '%future added value';

export type CheckStatusState =
  | 'COMPLETED'
  | 'IN_PROGRESS'
  | 'PENDING'
  | 'QUEUED'
  | 'REQUESTED'
  | 'WAITING'
  | '%future added value';

export type CommentAuthorAssociation =
  | 'COLLABORATOR'
  | 'CONTRIBUTOR'
  | 'FIRST_TIMER'
  | 'FIRST_TIME_CONTRIBUTOR'
  | 'MANNEQUIN'
  | 'MEMBER'
  | 'NONE'
  | 'OWNER'
  | '%future added value';

export type MergeStateStatus =
  | 'BEHIND'
  | 'BLOCKED'
  | 'CLEAN'
  | 'DIRTY'
  | 'DRAFT'
  | 'HAS_HOOKS'
  | 'UNKNOWN'
  | 'UNSTABLE'
  | '%future added value';

export type MergeableState =
  | 'CONFLICTING'
  | 'MERGEABLE'
  | 'UNKNOWN'
  | '%future added value';

export type PatchStatus =
  | 'ADDED'
  | 'CHANGED'
  | 'COPIED'
  | 'DELETED'
  | 'MODIFIED'
  | 'RENAMED'
  | '%future added value';

export type PullRequestReviewDecision =
  | 'APPROVED'
  | 'CHANGES_REQUESTED'
  | 'REVIEW_REQUIRED'
  | '%future added value';

export type PullRequestReviewState =
  | 'APPROVED'
  | 'CHANGES_REQUESTED'
  | 'COMMENTED'
  | 'DISMISSED'
  | 'PENDING'
  | '%future added value';

export type PullRequestState =
  | 'CLOSED'
  | 'MERGED'
  | 'OPEN'
  | '%future added value';

export type StatusState =
  | 'ERROR'
  | 'EXPECTED'
  | 'FAILURE'
  | 'PENDING'
  | 'SUCCESS'
  | '%future added value';

export type FindChecksQuery = { readonly repository: { readonly ref: { readonly refUpdateRule: { readonly requiredStatusCheckContexts: ReadonlyArray<string | null> | null } | null, readonly target:
        | { readonly statusCheckRollup: { readonly state: StatusState } | null }
        | Record<PropertyKey, never>
       | null } | null, readonly pullRequests: { readonly nodes: ReadonlyArray<{ readonly commits: { readonly nodes: ReadonlyArray<{ readonly commit: { readonly statusCheckRollup: { readonly state: StatusState } | null } } | null> | null } } | null> | null } } | null };

export type ReviewsOfPullRequestQuery = { readonly repository: { readonly pullRequest: { readonly reviews: { readonly pageInfo: { readonly hasPreviousPage: boolean, readonly startCursor: string | null }, readonly nodes: ReadonlyArray<{ readonly id: string, readonly state: PullRequestReviewState, readonly body: string, readonly createdAt: string, readonly authorAssociation: CommentAuthorAssociation, readonly authorCanPushToRepository: boolean, readonly author:
            | { readonly __typename: 'Bot', readonly login: string }
            | { readonly __typename: 'EnterpriseUserAccount', readonly login: string }
            | { readonly __typename: 'Mannequin', readonly login: string }
            | { readonly __typename: 'Organization', readonly login: string }
            | { readonly __typename: 'User', readonly login: string }
           | null, readonly commit: { readonly oid: string } | null, readonly comments: { readonly nodes: ReadonlyArray<{ readonly body: string, readonly path: string, readonly line: number | null, readonly originalLine: number | null, readonly createdAt: string } | null> | null, readonly pageInfo: { readonly hasNextPage: boolean, readonly endCursor: string | null } } } | null> | null } | null } | null } | null };

export type BeforeMergingQuery = { readonly repository: { readonly base: { readonly target:
        | { readonly oid: string }
        | { readonly oid: string }
        | { readonly oid: string }
        | { readonly oid: string }
       | null, readonly refUpdateRule: { readonly requiredStatusCheckContexts: ReadonlyArray<string | null> | null, readonly requiredApprovingReviewCount: number | null, readonly requiresConversationResolution: boolean, readonly requiresSignatures: boolean } | null } | null, readonly pullRequest: { readonly id: string, readonly number: number, readonly state: PullRequestState, readonly isDraft: boolean, readonly title: string, readonly body: string, readonly headRefName: string, readonly headRefOid: string, readonly mergeable: MergeableState, readonly mergeStateStatus: MergeStateStatus, readonly reviewDecision: PullRequestReviewDecision | null, readonly isMergeQueueEnabled: boolean, readonly author:
        | { readonly __typename: 'Bot', readonly login: string }
        | { readonly __typename: 'EnterpriseUserAccount', readonly login: string }
        | { readonly __typename: 'Mannequin', readonly login: string }
        | { readonly __typename: 'Organization', readonly login: string }
        | { readonly __typename: 'User', readonly login: string }
       | null, readonly headRef: { readonly name: string } | null, readonly mergeCommit: { readonly oid: string, readonly parents: { readonly nodes: ReadonlyArray<{ readonly oid: string } | null> | null } } | null, readonly statusCheckRollup: { readonly contexts: { readonly pageInfo: { readonly hasNextPage: boolean, readonly endCursor: string | null }, readonly nodes: ReadonlyArray<
            | { readonly name: string, readonly status: CheckStatusState, readonly conclusion: CheckConclusionState | null }
            | { readonly context: string, readonly state: StatusState }
           | null> | null } } | null } | null } | null };

export type BeforeOpeningQuery = { readonly repository: { readonly id: string, readonly base: { readonly target:
        | { readonly oid: string }
        | { readonly oid: string }
        | { readonly oid: string }
        | { readonly oid: string }
       | null } | null, readonly head: { readonly target:
        | { readonly oid: string }
        | { readonly oid: string }
        | { readonly oid: string }
        | { readonly oid: string }
       | null } | null, readonly pullRequests: { readonly pageInfo: { readonly hasNextPage: boolean, readonly endCursor: string | null }, readonly nodes: ReadonlyArray<{ readonly number: number, readonly state: PullRequestState, readonly isCrossRepository: boolean, readonly headRefOid: string, readonly body: string, readonly author:
          | { readonly __typename: 'Bot', readonly login: string }
          | { readonly __typename: 'EnterpriseUserAccount', readonly login: string }
          | { readonly __typename: 'Mannequin', readonly login: string }
          | { readonly __typename: 'Organization', readonly login: string }
          | { readonly __typename: 'User', readonly login: string }
         | null } | null> | null } } | null };

export type BeforeRevertingQuery = { readonly repository: { readonly pullRequest: { readonly number: number, readonly state: PullRequestState, readonly title: string, readonly headRefName: string, readonly mergeCommit: { readonly oid: string, readonly message: string, readonly parents: { readonly totalCount: number } } | null, readonly commits: { readonly totalCount: number, readonly nodes: ReadonlyArray<{ readonly commit: { readonly message: string } } | null> | null } } | null } | null };

export type BeforeReviewingQuery = { readonly repository: { readonly id: string, readonly object:
      | { readonly oid: string }
      | Record<PropertyKey, never>
     | null, readonly pullRequest: { readonly id: string, readonly number: number, readonly state: PullRequestState, readonly body: string, readonly headRefName: string, readonly author:
        | { readonly __typename: 'Bot', readonly login: string }
        | { readonly __typename: 'EnterpriseUserAccount', readonly login: string }
        | { readonly __typename: 'Mannequin', readonly login: string }
        | { readonly __typename: 'Organization', readonly login: string }
        | { readonly __typename: 'User', readonly login: string }
       | null, readonly labels: { readonly nodes: ReadonlyArray<{ readonly id: string, readonly name: string } | null> | null } | null, readonly reviews: { readonly pageInfo: { readonly hasPreviousPage: boolean, readonly startCursor: string | null }, readonly nodes: ReadonlyArray<{ readonly id: string, readonly state: PullRequestReviewState, readonly body: string, readonly createdAt: string, readonly author:
            | { readonly __typename: 'Bot', readonly login: string }
            | { readonly __typename: 'EnterpriseUserAccount', readonly login: string }
            | { readonly __typename: 'Mannequin', readonly login: string }
            | { readonly __typename: 'Organization', readonly login: string }
            | { readonly __typename: 'User', readonly login: string }
           | null, readonly commit: { readonly oid: string } | null } | null> | null } | null } | null } | null };

export type PullRequestsByIdQuery = { readonly nodes: ReadonlyArray<
    | FullFragment
    | Record<PropertyKey, never>
   | null> };

export type FullFragment = (
  { readonly title: string, readonly body: string, readonly additions: number, readonly deletions: number, readonly author:
    | { readonly __typename: 'Bot', readonly login: string }
    | { readonly __typename: 'EnterpriseUserAccount', readonly login: string }
    | { readonly __typename: 'Mannequin', readonly login: string }
    | { readonly __typename: 'Organization', readonly login: string }
    | { readonly __typename: 'User', readonly login: string }
   | null, readonly mergeCommit: { readonly oid: string } | null, readonly labels: { readonly nodes: ReadonlyArray<{ readonly name: string } | null> | null } | null, readonly files: { readonly pageInfo: { readonly hasNextPage: boolean }, readonly nodes: ReadonlyArray<{ readonly path: string, readonly changeType: PatchStatus } | null> | null } | null, readonly opinions: { readonly nodes: ReadonlyArray<ReviewFragment | null> | null } | null, readonly reviews: { readonly pageInfo: { readonly hasPreviousPage: boolean, readonly startCursor: string | null }, readonly nodes: ReadonlyArray<ReviewFragment | null> | null } | null }
  & LightFragment
);

export type ReviewFragment = { readonly id: string, readonly state: PullRequestReviewState, readonly body: string, readonly createdAt: string, readonly author:
    | { readonly __typename: 'Bot', readonly login: string }
    | { readonly __typename: 'EnterpriseUserAccount', readonly login: string }
    | { readonly __typename: 'Mannequin', readonly login: string }
    | { readonly __typename: 'Organization', readonly login: string }
    | { readonly __typename: 'User', readonly login: string }
   | null, readonly commit: { readonly oid: string } | null };

export type LightFragment = { readonly id: string, readonly number: number, readonly state: PullRequestState, readonly updatedAt: string, readonly isDraft: boolean, readonly isCrossRepository: boolean, readonly headRefName: string, readonly headRefOid: string, readonly mergeable: MergeableState, readonly statusCheckRollup: { readonly state: StatusState, readonly contexts: { readonly pageInfo: { readonly hasNextPage: boolean, readonly endCursor: string | null }, readonly checkRunCountsByState: ReadonlyArray<{ readonly state: CheckRunState, readonly count: number }> | null, readonly statusContextCountsByState: ReadonlyArray<{ readonly state: StatusState, readonly count: number }> | null, readonly nodes: ReadonlyArray<
        | { readonly name: string }
        | { readonly context: string }
       | null> | null } } | null };

export type PullRequestsOfBranchQuery = { readonly repository: { readonly pullRequests: { readonly pageInfo: { readonly hasNextPage: boolean, readonly endCursor: string | null }, readonly nodes: ReadonlyArray<LightFragment | null> | null } } | null };

export type ChecksOfCommitQuery = { readonly repository: { readonly object:
      | { readonly statusCheckRollup: { readonly contexts: { readonly pageInfo: { readonly hasNextPage: boolean, readonly endCursor: string | null }, readonly nodes: ReadonlyArray<
              | { readonly __typename: 'CheckRun', readonly databaseId: number | null, readonly name: string, readonly conclusion: CheckConclusionState | null, readonly detailsUrl: string | null, readonly title: string | null, readonly summary: string | null, readonly text: string | null }
              | { readonly __typename: 'StatusContext', readonly context: string, readonly state: StatusState, readonly description: string | null, readonly targetUrl: string | null }
             | null> | null } } | null }
      | Record<PropertyKey, never>
     | null } | null };

export type CommentsOfPullRequestQuery = { readonly repository: { readonly pullRequest: { readonly id: string, readonly headRefName: string, readonly comments: { readonly pageInfo: { readonly hasPreviousPage: boolean, readonly startCursor: string | null }, readonly nodes: ReadonlyArray<{ readonly id: string, readonly fullDatabaseId: string | null, readonly body: string, readonly createdAt: string, readonly authorAssociation: CommentAuthorAssociation, readonly author:
            | { readonly __typename: 'Bot', readonly login: string }
            | { readonly __typename: 'EnterpriseUserAccount', readonly login: string }
            | { readonly __typename: 'Mannequin', readonly login: string }
            | { readonly __typename: 'Organization', readonly login: string }
            | { readonly __typename: 'User', readonly login: string }
           | null } | null> | null } } | null } | null };

export type EarlierReviewsQuery = { readonly node:
    | { readonly reviews: { readonly pageInfo: { readonly hasPreviousPage: boolean, readonly startCursor: string | null }, readonly nodes: ReadonlyArray<ReviewFragment | null> | null } | null }
    | Record<PropertyKey, never>
   | null };

export type MergePullRequestMutation = { readonly mergePullRequest: { readonly pullRequest: { readonly mergeCommit: { readonly oid: string, readonly parents: { readonly nodes: ReadonlyArray<{ readonly oid: string } | null> | null } } | null } | null } | null };

export type MoreChecksQuery = { readonly node:
    | { readonly statusCheckRollup: { readonly contexts: { readonly pageInfo: { readonly hasNextPage: boolean, readonly endCursor: string | null }, readonly nodes: ReadonlyArray<
            | { readonly name: string }
            | { readonly context: string }
           | null> | null } } | null }
    | Record<PropertyKey, never>
   | null };

export type MoreReviewCommentsQuery = { readonly node:
    | { readonly comments: { readonly nodes: ReadonlyArray<{ readonly body: string, readonly path: string, readonly line: number | null, readonly originalLine: number | null, readonly createdAt: string } | null> | null, readonly pageInfo: { readonly hasNextPage: boolean, readonly endCursor: string | null } } }
    | Record<PropertyKey, never>
   | null };

export type OpenPullRequestMutation = { readonly createPullRequest: { readonly pullRequest: { readonly number: number } | null } | null };

export type PullRequestToChangeQuery = { readonly repository: { readonly id: string, readonly pullRequest: { readonly id: string, readonly number: number, readonly state: PullRequestState, readonly isDraft: boolean, readonly title: string, readonly body: string, readonly headRefName: string, readonly headRefOid: string, readonly author:
        | { readonly __typename: 'Bot', readonly login: string }
        | { readonly __typename: 'EnterpriseUserAccount', readonly login: string }
        | { readonly __typename: 'Mannequin', readonly login: string }
        | { readonly __typename: 'Organization', readonly login: string }
        | { readonly __typename: 'User', readonly login: string }
       | null, readonly labels: { readonly nodes: ReadonlyArray<{ readonly id: string, readonly name: string } | null> | null } | null } | null } | null };

export type PullRequestsQuery = { readonly base: { readonly ref: { readonly target:
        | { readonly oid: string }
        | { readonly oid: string }
        | { readonly oid: string }
        | { readonly oid: string }
       | null, readonly refUpdateRule: { readonly requiredStatusCheckContexts: ReadonlyArray<string | null> | null } | null } | null } | null, readonly b0: { readonly pullRequests: { readonly pageInfo: { readonly hasNextPage: boolean }, readonly nodes: ReadonlyArray<FullFragment | null> | null } } | null, readonly l0: { readonly issue: { readonly closedByPullRequestsReferences: { readonly nodes: ReadonlyArray<LinkedFragment | null> | null } | null } | null } | null, readonly a0: { readonly pullRequest: LinkedFragment | null } | null };

export type LinkedFragment = (
  { readonly baseRefName: string, readonly repository: { readonly nameWithOwner: string } }
  & LightFragment
);

export type PullRequestDigestQuery = { readonly base: { readonly ref: { readonly target:
        | { readonly oid: string }
        | { readonly oid: string }
        | { readonly oid: string }
        | { readonly oid: string }
       | null, readonly refUpdateRule: { readonly requiredStatusCheckContexts: ReadonlyArray<string | null> | null } | null } | null } | null, readonly b0: { readonly pullRequests: { readonly pageInfo: { readonly hasNextPage: boolean }, readonly nodes: ReadonlyArray<LightFragment | null> | null } } | null, readonly l0: { readonly issue: { readonly closedByPullRequestsReferences: { readonly nodes: ReadonlyArray<LinkedFragment | null> | null } | null } | null } | null, readonly a0: { readonly pullRequest: LinkedFragment | null } | null };
