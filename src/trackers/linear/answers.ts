/** What Linear answers, by the fragments that ask for it. */

export interface StateAnswer {
  readonly id: string;
  readonly name: string;
  /** One of `triage`, `backlog`, `unstarted`, `started`, `completed`, `canceled`, `duplicate`, or what Linear adds one day. */
  readonly type: string;
  readonly position: number;
}

export interface TeamAnswer {
  readonly id: string;
  readonly key: string;
  readonly states: { readonly nodes: readonly StateAnswer[] };
}

interface UserAnswer {
  readonly id: string;
  readonly name: string;
  readonly displayName: string;
  readonly email: string;
  readonly active: boolean;
  readonly app: boolean;
}

interface ExternalUserAnswer {
  readonly name: string;
  readonly displayName: string;
}

/** Who wrote something: at most one of them has a name for it. */
export interface AuthorAnswer {
  readonly user: UserAnswer | null;
  readonly externalUser: ExternalUserAnswer | null;
  readonly botActor: { readonly name: string | null } | null;
}

/** An issue that another one waits for. */
export interface BlockerAnswer {
  readonly id: string;
  readonly identifier: string;
  readonly trashed: boolean | null;
  readonly team: { readonly id: string };
  readonly state: StateAnswer;
}

export interface RelationAnswer {
  readonly id: string;
  readonly type: string;
  readonly issue: BlockerAnswer;
}

/** As many as were asked for, or all. Whether there are more would cost as much again to ask. */
interface Nested<T> {
  readonly nodes: readonly T[];
}

interface LabelAnswer {
  readonly id: string;
  readonly name: string;
}

interface AttachmentAnswer {
  readonly id: string;
  readonly url: string;
}

interface SpanAnswer {
  readonly stateId: string;
  readonly startedAt: string;
  readonly endedAt: string | null;
}

export interface IssueAnswer {
  readonly id: string;
  readonly identifier: string;
  readonly title: string;
  readonly description: string | null;
  readonly priority: number;
  readonly createdAt: string;
  readonly updatedAt: string;
  readonly archivedAt: string | null;
  readonly trashed: boolean | null;
  readonly startedAt: string | null;
  readonly completedAt: string | null;
  readonly canceledAt: string | null;
  readonly team: { readonly id: string };
  readonly state: StateAnswer;
  readonly creator: UserAnswer | null;
  readonly externalUserCreator: ExternalUserAnswer | null;
  /** Somebody outside for whom a member has written it down. */
  readonly asksExternalUserRequester: ExternalUserAnswer | null;
  readonly botActor: { readonly name: string | null } | null;
  readonly parent: { readonly identifier: string } | null;
  readonly project: { readonly name: string } | null;
  readonly assignee: { readonly displayName: string } | null;
  readonly oneEnd: { readonly nodes: readonly SpanAnswer[] };
  readonly otherEnd: { readonly nodes: readonly SpanAnswer[] };
  readonly labels: Nested<LabelAnswer>;
  readonly attachments: Nested<AttachmentAnswer>;
  readonly inverseRelations: Nested<RelationAnswer>;
  /** Legion's own: why the rest of the issue could not be read. */
  readonly refused?: string | undefined;
}

/** Enough to see whether an issue has changed. */
export interface IssueHead {
  readonly id: string;
  readonly updatedAt: string;
}

export interface CommentAnswer extends AuthorAnswer {
  readonly id: string;
  readonly body: string;
  readonly createdAt: string;
  readonly updatedAt: string;
}

/** A relation among the newest of the workspace. */
export interface NewRelationAnswer extends RelationAnswer {
  readonly updatedAt: string;
  readonly relatedIssue: { readonly id: string };
}

/** An attachment among the newest of the workspace. */
export interface NewAttachmentAnswer extends AttachmentAnswer {
  readonly issue: { readonly id: string };
}

/** A comment by what shows that there is something new. */
export interface CommentHead {
  readonly id: string;
  readonly updatedAt: string;
  readonly issue: { readonly id: string } | null;
}
