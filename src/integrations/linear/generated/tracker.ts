/** Written by `npm run graphql:types` from the GraphQL documents and the schema of the service. */

export type LabelGroupType =
  | 'multiSelect'
  | 'singleSelect'
  | '%future added value';

export type AllRelationsQuery = { readonly issue: { readonly inverseRelations: { readonly nodes: ReadonlyArray<RelationPartsFragment>, readonly pageInfo: { readonly hasNextPage: boolean, readonly endCursor: string | null } } } };

export type RelationPartsFragment = { readonly id: string, readonly type: string, readonly issue: BlockerPartsFragment };

export type BlockerPartsFragment = { readonly id: string, readonly identifier: string, readonly trashed: boolean | null, readonly team: { readonly id: string }, readonly state: StatePartsFragment };

export type StatePartsFragment = { readonly id: string, readonly name: string, readonly type: string, readonly position: number };

export type BoardChangesQuery = { readonly team: TeamPartsFragment, readonly changed: { readonly nodes: ReadonlyArray<IssuePartsFragment>, readonly pageInfo: { readonly hasNextPage: boolean, readonly endCursor: string | null } }, readonly elsewhere: { readonly nodes: ReadonlyArray<{ readonly id: string }>, readonly pageInfo: { readonly hasNextPage: boolean, readonly endCursor: string | null } }, readonly watched?: WatchedFragment, readonly relations: { readonly nodes: ReadonlyArray<NewRelationPartsFragment> }, readonly attached: { readonly nodes: ReadonlyArray<NewAttachmentPartsFragment> }, readonly said: { readonly nodes: ReadonlyArray<CommentHeadFragment>, readonly pageInfo: { readonly hasNextPage: boolean, readonly endCursor: string | null } } };

export type NewAttachmentPartsFragment = { readonly id: string, readonly url: string, readonly issue: { readonly id: string } };

export type CommentHeadFragment = { readonly id: string, readonly updatedAt: string, readonly issue: { readonly id: string } | null };

export type WatchedFragment = { readonly nodes: ReadonlyArray<{ readonly id: string, readonly inverseRelations: { readonly nodes: ReadonlyArray<RelationPartsFragment> } }>, readonly pageInfo: { readonly hasNextPage: boolean, readonly endCursor: string | null } };

export type TeamPartsFragment = { readonly id: string, readonly key: string, readonly states: { readonly nodes: ReadonlyArray<StatePartsFragment> } };

export type NewRelationPartsFragment = (
  { readonly updatedAt: string, readonly relatedIssue: { readonly id: string } }
  & RelationPartsFragment
);

export type IssuePartsFragment = { readonly id: string, readonly identifier: string, readonly title: string, readonly description: string | null, readonly priority: number, readonly createdAt: string, readonly updatedAt: string, readonly archivedAt: string | null, readonly trashed: boolean | null, readonly startedAt: string | null, readonly completedAt: string | null, readonly canceledAt: string | null, readonly team: { readonly id: string }, readonly state: StatePartsFragment, readonly creator: UserPartsFragment | null, readonly externalUserCreator: { readonly name: string, readonly displayName: string } | null, readonly asksExternalUserRequester: { readonly name: string, readonly displayName: string } | null, readonly botActor: { readonly name: string | null } | null, readonly parent: { readonly identifier: string } | null, readonly project: { readonly name: string } | null, readonly assignee: { readonly displayName: string } | null, readonly oneEnd: { readonly nodes: ReadonlyArray<{ readonly stateId: string, readonly startedAt: string, readonly endedAt: string | null }> }, readonly otherEnd: { readonly nodes: ReadonlyArray<{ readonly stateId: string, readonly startedAt: string, readonly endedAt: string | null }> }, readonly labels: { readonly nodes: ReadonlyArray<{ readonly id: string, readonly name: string }> }, readonly attachments: { readonly nodes: ReadonlyArray<{ readonly id: string, readonly url: string }> }, readonly inverseRelations: { readonly nodes: ReadonlyArray<RelationPartsFragment> } };

export type UserPartsFragment = { readonly id: string, readonly name: string, readonly displayName: string, readonly email: string, readonly active: boolean, readonly app: boolean };

export type BoardHeadsQuery = { readonly team: TeamPartsFragment, readonly issues: { readonly nodes: ReadonlyArray<IssueHeadFragment>, readonly pageInfo: { readonly hasNextPage: boolean, readonly endCursor: string | null } } };

export type IssueHeadFragment = { readonly id: string, readonly updatedAt: string };

export type BoardPageQuery = { readonly team: TeamPartsFragment, readonly issues: { readonly nodes: ReadonlyArray<IssuePartsFragment>, readonly pageInfo: { readonly hasNextPage: boolean, readonly endCursor: string | null } }, readonly relations: { readonly nodes: ReadonlyArray<NewRelationPartsFragment> } };

export type CommentsPageQuery = { readonly issues: { readonly nodes: ReadonlyArray<{ readonly id: string, readonly identifier: string, readonly comments: { readonly nodes: ReadonlyArray<CommentPartsFragment>, readonly pageInfo: { readonly hasNextPage: boolean, readonly endCursor: string | null } } }> } };

export type CommentPartsFragment = { readonly id: string, readonly body: string, readonly createdAt: string, readonly updatedAt: string, readonly user: UserPartsFragment | null, readonly externalUser: { readonly name: string, readonly displayName: string } | null, readonly botActor: { readonly name: string | null } | null };

export type LegionAttachesMutation = { readonly attachmentCreate: { readonly success: boolean } };

export type LegionCommentsMutation = { readonly commentCreate: { readonly success: boolean } };

export type LabelsNamedQuery = { readonly issueLabels: { readonly nodes: ReadonlyArray<{ readonly id: string, readonly name: string, readonly isGroup: boolean, readonly team: { readonly id: string } | null, readonly parent: { readonly name: string, readonly groupType: LabelGroupType | null } | null }>, readonly pageInfo: { readonly hasNextPage: boolean, readonly endCursor: string | null } } };

export type LeanIssueQuery = { readonly issues: { readonly nodes: ReadonlyArray<{ readonly id: string, readonly identifier: string, readonly title: string, readonly description: string | null, readonly priority: number, readonly createdAt: string, readonly updatedAt: string, readonly archivedAt: string | null, readonly trashed: boolean | null, readonly startedAt: string | null, readonly completedAt: string | null, readonly canceledAt: string | null, readonly team: { readonly id: string }, readonly state: StatePartsFragment, readonly labels: { readonly nodes: ReadonlyArray<{ readonly id: string, readonly name: string }> } }> } };

export type MadeCommentQuery = { readonly issues: { readonly nodes: ReadonlyArray<{ readonly id: string, readonly identifier: string }> }, readonly comments: { readonly nodes: ReadonlyArray<{ readonly id: string, readonly body: string }> } };

export type MadeIssueQuery = { readonly team: TeamPartsFragment, readonly issues: { readonly nodes: ReadonlyArray<IssuePartsFragment> } };

export type MoreWatchedQuery = { readonly watched: WatchedFragment };

export type ReadIssueQuery = { readonly team: TeamPartsFragment, readonly issues: { readonly nodes: ReadonlyArray<IssuePartsFragment> } };

export type LegionEditsCommentMutation = { readonly commentUpdate: { readonly success: boolean } };

export type IssuesInFullQuery = { readonly issues: { readonly nodes: ReadonlyArray<IssuePartsFragment> } };

export type LegionWritesMutation = { readonly issueUpdate: { readonly success: boolean } };

export type LegionCreatesMutation = { readonly issueCreate: { readonly success: boolean, readonly issue: { readonly identifier: string } | null }, readonly s0: { readonly success: boolean } };

export type LegionRelatesMutation = { readonly s0: { readonly success: boolean } };

export type MakeLabelsMutation = { readonly s0: { readonly success: boolean } };
