/** Written by `npm run graphql:types` from the documents beside it and the schema of the service. */

export type RepositoryPermission =
  | 'ADMIN'
  | 'MAINTAIN'
  | 'READ'
  | 'TRIAGE'
  | 'WRITE'
  | '%future added value';

export type ViewerQuery = { viewer: { login: string } };

export type LegionCommentsMutation = { addComment: { subject:
      | { comments: { nodes: Array<PartsFragment | null> | null } }
      | { comments: { nodes: Array<PartsFragment | null> | null } }
      | Record<PropertyKey, never>
     | null } | null };

export type PartsFragment = { id: string, fullDatabaseId: string | null, body: string, author:
    | { __typename: 'Bot', login: string }
    | { __typename: 'EnterpriseUserAccount', login: string }
    | { __typename: 'Mannequin', login: string }
    | { __typename: 'Organization', login: string }
    | { __typename: 'User', login: string }
   | null };

export type LabelsNamedQuery = { repository: { id: string, l0: { id: string } | null } | null };

export type PermissionsOfQuery = { a0: { collaborators: { edges: Array<{ permission: RepositoryPermission, node: { login: string } } | null> | null } | null } | null };

export type CheckProjectQuery = { repositoryOwner:
    | { projectV2: { closed: boolean, viewerCanUpdate: boolean } | null }
    | { projectV2: { closed: boolean, viewerCanUpdate: boolean } | null }
   | null };

export type CheckPullRequestsQuery = { repository: { pullRequests: { totalCount: number } } | null };

export type CheckRepositoryQuery = { repository: { viewerPermission: RepositoryPermission | null, isArchived: boolean, hasIssuesEnabled: boolean } | null };
