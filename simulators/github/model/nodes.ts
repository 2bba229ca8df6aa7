/**
 * Defines the state of the simulated GitHub: accounts, repositories, boards, issues and what
 * belongs to them.
 */
import type { BranchProtection, RepositoryPermission } from '../simulator.ts';

/**
 * `type` is the name of the type in GitHub's schema. Times are in seconds since 1970, because
 * GitHub's times have no fractions.
 */
interface GithubNodeBase {
  readonly id: string;
  readonly databaseId: number;
  readonly createdAt: number;
}

export interface Account extends GithubNodeBase {
  readonly type: 'User' | 'Organization' | 'Bot';
  readonly login: string;
  /** Logins of the members if this is an organization. */
  readonly members: Set<string>;
}

export interface Repository extends GithubNodeBase {
  readonly type: 'Repository';
  readonly owner: Account;
  readonly name: string;
  readonly private: boolean;
  readonly base: string;
  readonly folder: string;
  readonly grants: Map<string, RepositoryPermission>;
  readonly labels: Label[];
  readonly protections: Map<string, BranchProtection>;
  /** Issues and pull requests, which share their numbers. */
  readonly threads: (Issue | PullRequest)[];
  /** The branches as last observed, by full name. */
  readonly refs: Map<string, string>;
  readonly checks: (CheckRunNode | StatusNode)[];
  readonly workflows: { readonly check: string; readonly argv: readonly string[] }[];
  pushedAt: number;
}

export interface Label extends GithubNodeBase {
  readonly type: 'Label';
  readonly repository: Repository;
  readonly name: string;
  readonly color: string;
  readonly description: string | null;
}

interface ThreadBase extends GithubNodeBase {
  readonly repository: Repository;
  readonly number: number;
  readonly author: Account;
  title: string;
  body: string;
  labels: Label[];
  readonly comments: CommentNode[];
  readonly events: StateEvent[];
  closedAt: number | undefined;
  updatedAt: number;
}

export interface Issue extends ThreadBase {
  readonly type: 'Issue';
  state: 'OPEN' | 'CLOSED';
  stateReason: 'COMPLETED' | 'NOT_PLANNED' | 'DUPLICATE' | 'REOPENED' | null;
  parent: Issue | undefined;
  readonly subIssues: Issue[];
  readonly blockedBy: Issue[];
}

export interface PullRequest extends ThreadBase {
  readonly type: 'PullRequest';
  state: 'OPEN' | 'CLOSED' | 'MERGED';
  base: string;
  readonly head: string;
  /**
   * Latest commits of the head and base branches, as last observed. Once the pull request is
   * merged, they stay as they were at the merge.
   */
  headOid: string;
  baseOid: string;
  draft: boolean;
  readonly reviews: Review[];
  merged: { readonly oid: string; readonly at: number; readonly by: Account } | undefined;
  revertedBy: PullRequest | undefined;
  /** How many more reads return UNKNOWN as the mergeability. */
  unknowns: number;
}

export interface CommentNode extends GithubNodeBase {
  readonly type: 'IssueComment';
  readonly on: Issue | PullRequest;
  readonly author: Account;
  body: string;
  updatedAt: number;
}

export interface StateEvent extends GithubNodeBase {
  readonly type: 'ClosedEvent' | 'ReopenedEvent';
  readonly on: Issue | PullRequest;
  readonly actor: Account;
  /** The pull request that closed the issue or pull request, if any. */
  readonly closer: PullRequest | undefined;
}

export interface Review extends GithubNodeBase {
  readonly type: 'PullRequestReview';
  readonly on: PullRequest;
  readonly author: Account;
  readonly state: 'APPROVED' | 'CHANGES_REQUESTED' | 'COMMENTED';
  readonly body: string;
  readonly oid: string;
  readonly remarks: ReviewRemark[];
}

export interface ReviewRemark extends GithubNodeBase {
  readonly type: 'PullRequestReviewComment';
  readonly review: Review;
  readonly path: string;
  readonly line: number | null;
  readonly body: string;
}

export interface Project extends GithubNodeBase {
  readonly type: 'ProjectV2';
  readonly owner: Account;
  readonly number: number;
  readonly title: string;
  readonly public: boolean;
  readonly fields: ProjectField[];
  readonly items: ProjectItem[];
  updatedAt: number;
}

export interface ProjectField extends GithubNodeBase {
  readonly type: 'ProjectV2Field' | 'ProjectV2SingleSelectField';
  readonly project: Project;
  name: string;
  readonly dataType: string;
  options: ProjectOption[];
  updatedAt: number;
}

export interface ProjectOption {
  readonly id: string;
  readonly name: string;
  readonly color: string;
  readonly description: string;
}

export interface ProjectItem extends GithubNodeBase {
  readonly type: 'ProjectV2Item';
  readonly project: Project;
  readonly content: Issue | PullRequest | DraftIssue;
  readonly creator: Account;
  readonly values: FieldValue[];
  archived: boolean;
  updatedAt: number;
}

export interface FieldValue extends GithubNodeBase {
  readonly type: 'ProjectV2ItemFieldSingleSelectValue' | 'ProjectV2ItemFieldTextValue';
  readonly item: ProjectItem;
  readonly field: ProjectField;
  readonly creator: Account;
  option: ProjectOption | undefined;
  text: string | undefined;
  updatedAt: number;
}

export interface DraftIssue extends GithubNodeBase {
  readonly type: 'DraftIssue';
  readonly creator: Account;
  title: string;
  body: string;
  updatedAt: number;
}

export interface CheckRunNode extends GithubNodeBase {
  readonly type: 'CheckRun';
  readonly repository: Repository;
  readonly sha: string;
  readonly name: string;
  conclusion: string | null;
  completedAt: number | undefined;
  summary: string | null;
  log: string | undefined;
}

export interface StatusNode extends GithubNodeBase {
  readonly type: 'StatusContext';
  readonly repository: Repository;
  readonly sha: string;
  readonly context: string;
  readonly state: string;
  readonly description: string | null;
}

/** A commit as GraphQL shows it. The commit itself is stored in git. */
export interface CommitNode {
  readonly type: 'Commit';
  readonly repository: Repository;
  readonly oid: string;
}

export interface RefNode {
  readonly type: 'Ref';
  readonly repository: Repository;
  readonly name: string;
  readonly oid: string;
}

export type GithubNode =
  | Account
  | Repository
  | Label
  | Issue
  | PullRequest
  | CommentNode
  | StateEvent
  | Review
  | ReviewRemark
  | Project
  | ProjectField
  | ProjectItem
  | FieldValue
  | DraftIssue
  | CheckRunNode
  | StatusNode;

/** Nodes whose fields can be rewritten in a finished response. */
export type RewritableNode = GithubNode | CommitNode;
