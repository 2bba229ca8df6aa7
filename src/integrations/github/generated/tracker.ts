/** Written by `npm run graphql:types` from the GraphQL documents and the schema of the service. */

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

export type ProjectV2ItemType =
  | 'DRAFT_ISSUE'
  | 'ISSUE'
  | 'PULL_REQUEST'
  | 'REDACTED'
  | '%future added value';

export type BoardPageQuery = { readonly repositoryOwner:
    | { readonly projectV2: (
        { readonly items: { readonly totalCount: number, readonly pageInfo: { readonly hasNextPage: boolean, readonly endCursor: string | null }, readonly nodes: ReadonlyArray<(
            { readonly content:
              | { readonly __typename: 'DraftIssue' }
              | (
                { readonly __typename: 'Issue' }
                & IssuePartsFragment
              )
              | { readonly __typename: 'PullRequest' }
             | null }
            & ItemPartsFragment
          ) | null> | null } }
        & ProjectPartsFragment
      ) | null }
    | { readonly projectV2: (
        { readonly items: { readonly totalCount: number, readonly pageInfo: { readonly hasNextPage: boolean, readonly endCursor: string | null }, readonly nodes: ReadonlyArray<(
            { readonly content:
              | { readonly __typename: 'DraftIssue' }
              | (
                { readonly __typename: 'Issue' }
                & IssuePartsFragment
              )
              | { readonly __typename: 'PullRequest' }
             | null }
            & ItemPartsFragment
          ) | null> | null } }
        & ProjectPartsFragment
      ) | null }
   | null, readonly blocked?: { readonly issueCount: number, readonly pageInfo: { readonly hasNextPage: boolean, readonly endCursor: string | null }, readonly nodes: ReadonlyArray<
      | { readonly id: string }
      | Record<PropertyKey, never>
     | null> | null } };

export type ProjectPartsFragment = { readonly id: string, readonly status:
    | ChoicesFragment
    | Record<PropertyKey, never>
   | null, readonly priority:
    | ChoicesFragment
    | Record<PropertyKey, never>
   | null };

export type ChoicesFragment = { readonly id: string, readonly options: ReadonlyArray<{ readonly id: string, readonly name: string }> };

export type ItemPartsFragment = { readonly id: string, readonly isArchived: boolean, readonly type: ProjectV2ItemType, readonly createdAt: string, readonly status:
    | { readonly optionId: string | null, readonly updatedAt: string }
    | Record<PropertyKey, never>
   | null, readonly priority:
    | { readonly optionId: string | null, readonly updatedAt: string }
    | Record<PropertyKey, never>
   | null };

export type IssuePartsFragment = { readonly __typename: 'Issue', readonly id: string, readonly fullDatabaseId: string | null, readonly number: number, readonly title: string, readonly body: string, readonly createdAt: string, readonly updatedAt: string, readonly closedAt: string | null, readonly authorAssociation: CommentAuthorAssociation, readonly author:
    | { readonly __typename: 'Bot', readonly login: string }
    | { readonly __typename: 'EnterpriseUserAccount', readonly login: string }
    | { readonly __typename: 'Mannequin', readonly login: string }
    | { readonly __typename: 'Organization', readonly login: string }
    | { readonly __typename: 'User', readonly login: string }
   | null, readonly repository: { readonly id: string, readonly name: string, readonly owner:
      | { readonly login: string }
      | { readonly login: string }
     }, readonly labels: { readonly nodes: ReadonlyArray<{ readonly id: string, readonly name: string } | null> | null, readonly pageInfo: { readonly hasNextPage: boolean, readonly endCursor: string | null } } | null, readonly parent: { readonly number: number, readonly repository: { readonly id: string, readonly name: string, readonly owner:
        | { readonly login: string }
        | { readonly login: string }
       } } | null, readonly reopened: { readonly nodes: ReadonlyArray<
      | { readonly createdAt: string }
      | Record<PropertyKey, never>
     | null> | null }, readonly comments: { readonly totalCount: number, readonly nodes: ReadonlyArray<CommentPartsFragment | null> | null } };

export type CommentPartsFragment = { readonly id: string, readonly fullDatabaseId: string | null, readonly createdAt: string, readonly body: string, readonly authorAssociation: CommentAuthorAssociation, readonly author:
    | { readonly __typename: 'Bot', readonly login: string }
    | { readonly __typename: 'EnterpriseUserAccount', readonly login: string }
    | { readonly __typename: 'Mannequin', readonly login: string }
    | { readonly __typename: 'Organization', readonly login: string }
    | { readonly __typename: 'User', readonly login: string }
   | null };

export type CommentsPageQuery = { readonly node:
    | { readonly projectItems: { readonly nodes: ReadonlyArray<{ readonly isArchived: boolean, readonly project: { readonly id: string } } | null> | null }, readonly comments: { readonly pageInfo: { readonly hasPreviousPage: boolean, readonly startCursor: string | null }, readonly nodes: ReadonlyArray<CommentPartsFragment | null> | null } }
    | Record<PropertyKey, never>
   | null };

export type LegionCreatesMutation = { readonly createIssue: { readonly issue: (
      { readonly parent?: { readonly subIssues: { readonly nodes: ReadonlyArray<MadeFragment | null> | null } } | null, readonly beside?: { readonly issues: { readonly nodes: ReadonlyArray<MadeFragment | null> | null } } }
      & MadeFragment
    ) | null } | null };

export type MadeFragment = { readonly id: string, readonly number: number, readonly body: string, readonly updatedAt: string, readonly author:
    | { readonly __typename: 'Bot', readonly login: string }
    | { readonly __typename: 'EnterpriseUserAccount', readonly login: string }
    | { readonly __typename: 'Mannequin', readonly login: string }
    | { readonly __typename: 'Organization', readonly login: string }
    | { readonly __typename: 'User', readonly login: string }
   | null, readonly repository: { readonly id: string, readonly name: string, readonly owner:
      | { readonly login: string }
      | { readonly login: string }
     } };

export type IssuesInFullQuery = { readonly nodes: ReadonlyArray<
    | IssuePartsFragment
    | Record<PropertyKey, never>
   | null> };

export type IssuesSinceQuery = { readonly repository: { readonly issues: { readonly pageInfo: { readonly hasNextPage: boolean, readonly endCursor: string | null }, readonly nodes: ReadonlyArray<MadeFragment | null> | null } } | null };

export type MoreBlockedQuery = { readonly blocked: { readonly issueCount: number, readonly pageInfo: { readonly hasNextPage: boolean, readonly endCursor: string | null }, readonly nodes: ReadonlyArray<
      | { readonly id: string }
      | Record<PropertyKey, never>
     | null> | null } };

export type MoreLabelsQuery = { readonly node:
    | { readonly labels: { readonly nodes: ReadonlyArray<{ readonly id: string, readonly name: string } | null> | null, readonly pageInfo: { readonly hasNextPage: boolean, readonly endCursor: string | null } } | null }
    | Record<PropertyKey, never>
   | null };

export type PutOnBoardMutation = { readonly addProjectV2ItemById: { readonly item: { readonly id: string } | null } | null };

export type ReadIssueQuery = { readonly node:
    | (
      { readonly closed: { readonly nodes: ReadonlyArray<
          | { readonly actor:
              | { readonly __typename: 'Bot', readonly login: string }
              | { readonly __typename: 'EnterpriseUserAccount', readonly login: string }
              | { readonly __typename: 'Mannequin', readonly login: string }
              | { readonly __typename: 'Organization', readonly login: string }
              | { readonly __typename: 'User', readonly login: string }
             | null, readonly closer:
              | { readonly __typename: 'Commit' }
              | { readonly __typename: 'ProjectV2' }
              | { readonly __typename: 'PullRequest' }
             | null }
          | Record<PropertyKey, never>
         | null> | null }, readonly projectItems: { readonly pageInfo: { readonly hasNextPage: boolean, readonly endCursor: string | null }, readonly nodes: ReadonlyArray<(
          { readonly project: ProjectPartsFragment }
          & ItemPartsFragment
        ) | null> | null } }
      & IssuePartsFragment
    )
    | Record<PropertyKey, never>
   | null };

export type SubIssuesQuery = { readonly node:
    | { readonly subIssues: { readonly pageInfo: { readonly hasNextPage: boolean, readonly endCursor: string | null }, readonly nodes: ReadonlyArray<MadeFragment | null> | null } }
    | Record<PropertyKey, never>
   | null };

export type BoardDigestQuery = { readonly repositoryOwner:
    | { readonly projectV2: (
        { readonly page0: DigestPageFragment }
        & ProjectPartsFragment
      ) | null }
    | { readonly projectV2: (
        { readonly page0: DigestPageFragment }
        & ProjectPartsFragment
      ) | null }
   | null, readonly blocked: { readonly issueCount: number, readonly pageInfo: { readonly hasNextPage: boolean, readonly endCursor: string | null }, readonly nodes: ReadonlyArray<
      | { readonly id: string }
      | Record<PropertyKey, never>
     | null> | null }, readonly foreign: ReadonlyArray<
    | { readonly id: string, readonly closed: boolean }
    | { readonly id: string, readonly closed: boolean }
    | Record<PropertyKey, never>
   | null> };

export type DigestPageFragment = { readonly totalCount: number, readonly pageInfo: { readonly hasNextPage: boolean, readonly endCursor: string | null }, readonly nodes: ReadonlyArray<(
    { readonly content:
      | { readonly __typename: 'DraftIssue' }
      | { readonly __typename: 'Issue', readonly id: string, readonly updatedAt: string }
      | { readonly __typename: 'PullRequest' }
     | null }
    & ItemPartsFragment
  ) | null> | null };

export type StatesOfQuery = { readonly a0: { readonly issueOrPullRequest:
      | State_Issue_Fragment
      | State_PullRequest_Fragment
     | null } | null };

type State_Issue_Fragment = { readonly id: string, readonly closed: boolean, readonly projectItems: { readonly nodes: ReadonlyArray<{ readonly isArchived: boolean, readonly project: { readonly id: string }, readonly status:
        | { readonly name: string | null }
        | Record<PropertyKey, never>
       | null } | null> | null } };

type State_PullRequest_Fragment = { readonly id: string, readonly closed: boolean };

export type StateFragment =
  | State_Issue_Fragment
  | State_PullRequest_Fragment
;
