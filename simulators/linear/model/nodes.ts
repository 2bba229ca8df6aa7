/** Defines the nodes of a workspace. */
import type { StateType } from '../simulator.ts';

interface LinearNodeBase {
  readonly id: string;
  /**
   * Increases with every created node, so that nodes created in the same millisecond can be
   * ordered.
   */
  readonly order: number;
  readonly createdAt: number;
  /** Time of the last change to the node itself, not to its comments or relations. */
  updatedAt: number;
  archivedAt: number | undefined;
}

export interface User extends LinearNodeBase {
  readonly node: 'User';
  readonly name: string;
  readonly email: string;
  readonly guest: boolean;
  readonly app: boolean;
  active: boolean;
}

/** A person known only from a synced thread or an e-mail. */
export interface ExternalUser extends LinearNodeBase {
  readonly node: 'ExternalUser';
  readonly name: string;
}

export interface Team extends LinearNodeBase {
  readonly node: 'Team';
  readonly key: string;
  readonly name: string;
  readonly private: boolean;
  readonly members: Set<User>;
  lastNumber: number;
}

export interface WorkflowState extends LinearNodeBase {
  readonly node: 'WorkflowState';
  readonly team: Team;
  name: string;
  readonly kind: StateType;
  readonly color: string;
  readonly description: string | undefined;
  readonly position: number;
}

export interface IssueLabel extends LinearNodeBase {
  readonly node: 'IssueLabel';
  readonly name: string;
  /** Undefined for a label of the workspace. */
  readonly team: Team | undefined;
  /** The label group. An issue has at most one label of a group. */
  readonly parent: IssueLabel | undefined;
  isGroup: boolean;
  readonly color: string;
  readonly description: string | undefined;
  readonly creator: User | undefined;
}

export interface Project extends LinearNodeBase {
  readonly node: 'Project';
  readonly name: string;
  readonly teams: readonly Team[];
}

/** A period that an issue spent in one state. */
export interface StateSpan {
  readonly id: string;
  readonly state: WorkflowState;
  readonly startedAt: number;
  endedAt: number | undefined;
}

export interface Issue extends LinearNodeBase {
  readonly node: 'Issue';
  team: Team;
  number: number;
  /** Identifiers that the issue had in other teams, oldest first. */
  readonly previousIdentifiers: string[];
  title: string;
  description: string | undefined;
  state: WorkflowState;
  /** Oldest first. The last one is the current state. */
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

export interface Comment extends LinearNodeBase {
  readonly node: 'Comment';
  readonly issue: Issue;
  readonly parent: Comment | undefined;
  body: string;
  readonly user: User | undefined;
  readonly external: ExternalUser | undefined;
}

export interface IssueRelation extends LinearNodeBase {
  readonly node: 'IssueRelation';
  /** The blocking issue, or the one that is a duplicate. */
  readonly issue: Issue;
  readonly related: Issue;
  readonly kind: 'blocks' | 'duplicate' | 'related';
}

export interface Attachment extends LinearNodeBase {
  readonly node: 'Attachment';
  readonly issue: Issue;
  readonly url: string;
  title: string;
  subtitle: string | undefined;
  metadata: Readonly<Record<string, unknown>>;
  readonly creator: User | undefined;
}

export interface Organization extends LinearNodeBase {
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

export function formatIdentifier({ team, number }: Pick<Issue, 'team' | 'number'>): string {
  return `${team.key}-${number}`;
}
