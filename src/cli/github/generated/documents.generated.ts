/** Written by `npm run graphql:types` from the GraphQL documents and the schema of the service. */

export type ProjectV2ItemType =
  | 'DRAFT_ISSUE'
  | 'ISSUE'
  | 'PULL_REQUEST'
  | 'REDACTED'
  | '%future added value';

export type ProjectV2SingleSelectFieldOptionColor =
  | 'BLUE'
  | 'GRAY'
  | 'GREEN'
  | 'ORANGE'
  | 'PINK'
  | 'PURPLE'
  | 'RED'
  | 'YELLOW'
  | '%future added value';

export type BoardSetupQuery = { readonly repositoryOwner:
    | { readonly login: string, readonly projectV2: { readonly id: string, readonly title: string, readonly url: string, readonly field:
          | { readonly id: string, readonly options: ReadonlyArray<{ readonly id: string, readonly name: string, readonly color: ProjectV2SingleSelectFieldOptionColor, readonly description: string }> }
          | Record<PropertyKey, never>
         | null, readonly items: { readonly totalCount: number } } | null }
    | { readonly login: string, readonly projectV2: { readonly id: string, readonly title: string, readonly url: string, readonly field:
          | { readonly id: string, readonly options: ReadonlyArray<{ readonly id: string, readonly name: string, readonly color: ProjectV2SingleSelectFieldOptionColor, readonly description: string }> }
          | Record<PropertyKey, never>
         | null, readonly items: { readonly totalCount: number } } | null }
   | null };

export type OpenProjectsQuery = { readonly repositoryOwner:
    | { readonly login: string, readonly projectsV2: { readonly nodes: ReadonlyArray<{ readonly number: number, readonly title: string, readonly closed: boolean } | null> | null } }
    | { readonly login: string, readonly projectsV2: { readonly nodes: ReadonlyArray<{ readonly number: number, readonly title: string, readonly closed: boolean } | null> | null } }
   | null };

export type ItemValuesQuery = { readonly node:
    | { readonly items: { readonly nodes: ReadonlyArray<{ readonly id: string, readonly type: ProjectV2ItemType, readonly isArchived: boolean, readonly value:
            | { readonly name: string | null }
            | Record<PropertyKey, never>
           | null } | null> | null, readonly pageInfo: { readonly hasNextPage: boolean, readonly endCursor: string | null } } }
    | Record<PropertyKey, never>
   | null };

export type SomeItemValuesQuery = { readonly nodes: ReadonlyArray<
    | { readonly id: string, readonly type: ProjectV2ItemType, readonly isArchived: boolean, readonly value:
        | { readonly name: string | null }
        | Record<PropertyKey, never>
       | null }
    | Record<PropertyKey, never>
   | null> };
