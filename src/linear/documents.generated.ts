/** Written by `npm run graphql:types` from the documents beside it and the schema of the service. */

export type LabelGroupType =
  | 'multiSelect'
  | 'singleSelect'
  | '%future added value';

export type TeamVisibility =
  | 'private'
  | 'public'
  | 'restricted'
  | '%future added value';

export type TeamsQuery = { teams?: { nodes: Array<{ id: string, key: string, name: string, visibility: TeamVisibility, retiredAt: string | null }>, pageInfo: { hasNextPage: boolean, endCursor: string | null } }, workflowStates?: { nodes: Array<{ id: string, name: string, type: string, position: number, team: { id: string } }>, pageInfo: { hasNextPage: boolean, endCursor: string | null } }, issueLabels?: { nodes: Array<{ id: string, name: string, isGroup: boolean, team: { id: string } | null, parent: { id: string, name: string, groupType: LabelGroupType | null } | null }>, pageInfo: { hasNextPage: boolean, endCursor: string | null } } };

export type CreateLabelMutation = { issueLabelCreate: { success: boolean } };

export type CreateStateMutation = { workflowStateCreate: { success: boolean } };
