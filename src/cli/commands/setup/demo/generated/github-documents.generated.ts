/** Written by `npm run graphql:types` from the GraphQL documents and the schema of the service. */

export type DemoItemMutation = { readonly addProjectV2ItemById: { readonly item: { readonly id: string } | null } | null };

export type DemoIssueMutation = { readonly createIssue: { readonly issue: { readonly id: string, readonly number: number } | null } | null };

export type DemoLabelMutation = { readonly createLabel: { readonly label: { readonly id: string } | null } | null };

export type DemoBoardQuery = { readonly repositoryOwner:
    | { readonly projectV2: { readonly id: string, readonly field:
          | { readonly id: string, readonly options: ReadonlyArray<{ readonly id: string, readonly name: string }> }
          | Record<PropertyKey, never>
         | null } | null }
    | { readonly projectV2: { readonly id: string, readonly field:
          | { readonly id: string, readonly options: ReadonlyArray<{ readonly id: string, readonly name: string }> }
          | Record<PropertyKey, never>
         | null } | null }
   | null };

export type DemoRepositoryQuery = { readonly repository: { readonly id: string } | null };

export type DemoLabelsQuery = { readonly node:
    | { readonly labels: { readonly nodes: ReadonlyArray<{ readonly id: string, readonly name: string } | null> | null } | null }
    | Record<PropertyKey, never>
   | null };
