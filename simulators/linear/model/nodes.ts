/** What there is in a workspace. */
import type { StateType } from '../simulator.ts';

interface Base {
  readonly id: string;
  /** Counts up over everything that is made, so that two of one millisecond have an order. */
  readonly order: number;
  readonly createdAt: number;
  /** Of itself: what hangs on it does not move it. */
  updatedAt: number;
  archivedAt: number | undefined;
}

export interface User extends Base {
  readonly node: 'User';
  readonly name: string;
  readonly email: string;
  readonly guest: boolean;
  readonly app: boolean;
  active: boolean;
}

/** Somebody who is known by a synced thread or an e-mail alone. */
export interface ExternalUser extends Base {
  readonly node: 'ExternalUser';
  readonly name: string;
}

export interface Team extends Base {
  readonly node: 'Team';
  readonly key: string;
  readonly name: string;
  readonly private: boolean;
  readonly members: Set<User>;
  lastNumber: number;
}

export interface WorkflowState extends Base {
  readonly node: 'WorkflowState';
  readonly team: Team;
  name: string;
  readonly kind: StateType;
  readonly color: string;
  readonly description: string | undefined;
  readonly position: number;
}

export interface IssueLabel extends Base {
  readonly node: 'IssueLabel';
  readonly name: string;
  /** The workspace's own where undefined. */
  readonly team: Team | undefined;
  /** Of the labels in one group an issue has at most one. */
  readonly parent: IssueLabel | undefined;
  isGroup: boolean;
  readonly color: string;
  readonly description: string | undefined;
  readonly creator: User | undefined;
}

export interface Project extends Base {
  readonly node: 'Project';
  readonly name: string;
  readonly teams: readonly Team[];
}

/** A time an issue was in one state. */
export interface StateSpan {
  readonly id: string;
  readonly state: WorkflowState;
  readonly startedAt: number;
  endedAt: number | undefined;
}

export interface Issue extends Base {
  readonly node: 'Issue';
  team: Team;
  number: number;
  /** Where it was called so before it moved to another team, oldest first. */
  readonly previousIdentifiers: string[];
  title: string;
  description: string | undefined;
  state: WorkflowState;
  /** Oldest first; the last one is the state it is in. */
  readonly spans: StateSpan[];
  labels: readonly IssueLabel[];
  priority: number;
  estimate: number | undefined;
  dueDate: string | undefined;
  assignee: User | undefined;
  project: Project | undefined;
  parent: Issue | undefined;
  readonly creator: User | undefined;
  readonly external: ExternalUser | undefined;
  startedAt: number | undefined;
  completedAt: number | undefined;
  canceledAt: number | undefined;
  triagedAt: number | undefined;
  trashed: boolean;
}

export interface Comment extends Base {
  readonly node: 'Comment';
  readonly issue: Issue;
  readonly parent: Comment | undefined;
  readonly body: string;
  readonly user: User | undefined;
  readonly external: ExternalUser | undefined;
}

export interface IssueRelation extends Base {
  readonly node: 'IssueRelation';
  /** It blocks, or is the duplicate. */
  readonly issue: Issue;
  readonly related: Issue;
  readonly kind: 'blocks' | 'duplicate' | 'related';
}

export interface Attachment extends Base {
  readonly node: 'Attachment';
  readonly issue: Issue;
  readonly url: string;
  title: string;
  subtitle: string | undefined;
  metadata: Readonly<Record<string, unknown>>;
  readonly creator: User | undefined;
}

export interface Organization extends Base {
  readonly node: 'Organization';
  readonly name: string;
  readonly urlKey: string;
}

export type LinearNode =
  | User
  | ExternalUser
  | Team
  | WorkflowState
  | IssueLabel
  | Project
  | Issue
  | Comment
  | IssueRelation
  | Attachment
  | Organization;

export type NodeName = LinearNode['node'];
export type NodeOf<N extends NodeName> = Extract<LinearNode, { readonly node: N }>;

export function identifierOf({ team, number }: Pick<Issue, 'team' | 'number'>): string {
  return `${team.key}-${number}`;
}
