/** Written by `npm run graphql:types` from the GraphQL documents and the schema of the service. */

export type RepositoryPermission =
  | 'ADMIN'
  | 'MAINTAIN'
  | 'READ'
  | 'TRIAGE'
  | 'WRITE'
  | '%future added value';

export type ViewerQuery = { readonly viewer: { readonly login: string } };

export type LegionCommentsMutation = { readonly addComment: { readonly subject:
      | { readonly comments: { readonly nodes: ReadonlyArray<PartsFragment | null> | null } }
      | { readonly comments: { readonly nodes: ReadonlyArray<PartsFragment | null> | null } }
      | Record<PropertyKey, never>
     | null } | null };

export type PartsFragment = { readonly id: string, readonly fullDatabaseId: string | null, readonly body: string, readonly author:
    | { readonly __typename: 'Bot', readonly login: string }
    | { readonly __typename: 'EnterpriseUserAccount', readonly login: string }
    | { readonly __typename: 'Mannequin', readonly login: string }
    | { readonly __typename: 'Organization', readonly login: string }
    | { readonly __typename: 'User', readonly login: string }
   | null };

export type LabelsNamedQuery = { readonly repository: { readonly id: string, readonly l0: { readonly id: string } | null } | null };

export type PermissionsOfQuery = { readonly a0: { readonly collaborators: { readonly edges: ReadonlyArray<{ readonly permission: RepositoryPermission, readonly node: { readonly login: string } } | null> | null } | null } | null };

export type CheckProjectQuery = { readonly repositoryOwner:
    | { readonly projectV2: { readonly closed: boolean, readonly viewerCanUpdate: boolean } | null }
    | { readonly projectV2: { readonly closed: boolean, readonly viewerCanUpdate: boolean } | null }
   | null };

export type CheckPullRequestsQuery = { readonly repository: { readonly pullRequests: { readonly totalCount: number } } | null };

export type CheckRepositoryQuery = { readonly repository: { readonly viewerPermission: RepositoryPermission | null, readonly isArchived: boolean, readonly hasIssuesEnabled: boolean } | null };
