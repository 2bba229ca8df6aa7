/** Written by `npm run graphql:types` from the GraphQL documents and the schema of the service. */

export type LabelGroupType =
  | 'multiSelect'
  | 'singleSelect'
  | '%future added value';

export type TeamVisibility =
  | 'private'
  | 'public'
  | 'restricted'
  | '%future added value';

export type TeamsQuery = { readonly teams?: { readonly nodes: ReadonlyArray<{ readonly id: string, readonly key: string, readonly name: string, readonly visibility: TeamVisibility, readonly retiredAt: string | null }>, readonly pageInfo: { readonly hasNextPage: boolean, readonly endCursor: string | null } }, readonly workflowStates?: { readonly nodes: ReadonlyArray<{ readonly id: string, readonly name: string, readonly type: string, readonly position: number, readonly team: { readonly id: string } }>, readonly pageInfo: { readonly hasNextPage: boolean, readonly endCursor: string | null } }, readonly issueLabels?: { readonly nodes: ReadonlyArray<{ readonly id: string, readonly name: string, readonly isGroup: boolean, readonly team: { readonly id: string } | null, readonly parent: { readonly id: string, readonly name: string, readonly groupType: LabelGroupType | null } | null }>, readonly pageInfo: { readonly hasNextPage: boolean, readonly endCursor: string | null } } };

export type CreateLabelMutation = { readonly issueLabelCreate: { readonly success: boolean } };

export type CreateStateMutation = { readonly workflowStateCreate: { readonly success: boolean } };
