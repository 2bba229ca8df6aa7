/** What the simulated GitHub holds: accounts, repositories, boards, issues and what hangs on them. */
import type { Permission, Protection } from '../simulator.ts';

/** `type` is the name in GitHub's schema; times are seconds since 1970, because GitHub's are whole seconds. */
interface Identified {
  readonly id: string;
  readonly databaseId: number;
  readonly createdAt: number;
}

export interface Account extends Identified {
  readonly type: 'User' | 'Organization' | 'Bot';
  readonly login: string;
  /** Of an organization. */
  readonly members: Set<string>;
}

export interface Repository extends Identified {
  readonly type: 'Repository';
  readonly owner: Account;
  readonly name: string;
  readonly private: boolean;
  readonly base: string;
  readonly folder: string;
  readonly grants: Map<string, Permission>;
  readonly labels: Label[];
  readonly protections: Map<string, Protection>;
  /** Issues and pull requests share their numbers. */
  readonly threads: (Issue | PullRequest)[];
  /** Branches as they were last seen, by their full name. */
  readonly refs: Map<string, string>;
  readonly checks: (CheckRunNode | StatusNode)[];
  readonly workflows: { readonly check: string; readonly argv: readonly string[] }[];
  pushedAt: number;
}

export interface Label extends Identified {
  readonly type: 'Label';
  readonly repository: Repository;
  readonly name: string;
  readonly color: string;
  readonly description: string | null;
}

interface Thread extends Identified {
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

export interface Issue extends Thread {
  readonly type: 'Issue';
  state: 'OPEN' | 'CLOSED';
  stateReason: 'COMPLETED' | 'NOT_PLANNED' | 'DUPLICATE' | 'REOPENED' | null;
  parent: Issue | undefined;
  readonly subIssues: Issue[];
  readonly blockedBy: Issue[];
}

export interface PullRequest extends Thread {
  readonly type: 'PullRequest';
  state: 'OPEN' | 'CLOSED' | 'MERGED';
  base: string;
  readonly head: string;
  /** Where the branches stood when they were last seen; a merged one keeps what it was merged at. */
  headOid: string;
  baseOid: string;
  draft: boolean;
  readonly reviews: Review[];
  merged: { readonly oid: string; readonly at: number; readonly by: Account } | undefined;
  revertedBy: PullRequest | undefined;
  /** How often mergeability is still to be UNKNOWN. */
  unknowns: number;
}

export interface CommentNode extends Identified {
  readonly type: 'IssueComment';
  readonly on: Issue | PullRequest;
  readonly author: Account;
  body: string;
  updatedAt: number;
}

export interface StateEvent extends Identified {
  readonly type: 'ClosedEvent' | 'ReopenedEvent';
  readonly on: Issue | PullRequest;
  readonly actor: Account;
  /** The pull request that closed it, if it was one. */
  readonly closer: PullRequest | undefined;
}

export interface Review extends Identified {
  readonly type: 'PullRequestReview';
  readonly on: PullRequest;
  readonly author: Account;
  readonly state: 'APPROVED' | 'CHANGES_REQUESTED' | 'COMMENTED';
  readonly body: string;
  readonly oid: string;
  readonly remarks: ReviewRemark[];
}

export interface ReviewRemark extends Identified {
  readonly type: 'PullRequestReviewComment';
  readonly review: Review;
  readonly path: string;
  readonly line: number | null;
  readonly body: string;
}

export interface Project extends Identified {
  readonly type: 'ProjectV2';
  readonly owner: Account;
  readonly number: number;
  readonly title: string;
  readonly public: boolean;
  readonly fields: Field[];
  readonly items: Item[];
  updatedAt: number;
}

export interface Field extends Identified {
  readonly type: 'ProjectV2Field' | 'ProjectV2SingleSelectField';
  readonly project: Project;
  name: string;
  readonly dataType: string;
  options: Option[];
  updatedAt: number;
}

export interface Option {
  readonly id: string;
  readonly name: string;
  readonly color: string;
  readonly description: string;
}

export interface Item extends Identified {
  readonly type: 'ProjectV2Item';
  readonly project: Project;
  readonly content: Issue | PullRequest | Draft;
  readonly creator: Account;
  readonly values: FieldValue[];
  archived: boolean;
  updatedAt: number;
}

export interface FieldValue extends Identified {
  readonly type: 'ProjectV2ItemFieldSingleSelectValue' | 'ProjectV2ItemFieldTextValue';
  readonly item: Item;
  readonly field: Field;
  readonly creator: Account;
  option: Option | undefined;
  text: string | undefined;
  updatedAt: number;
}

export interface Draft extends Identified {
  readonly type: 'DraftIssue';
  readonly creator: Account;
  title: string;
  body: string;
  updatedAt: number;
}

export interface CheckRunNode extends Identified {
  readonly type: 'CheckRun';
  readonly repository: Repository;
  readonly sha: string;
  readonly name: string;
  conclusion: string | null;
  completedAt: number | undefined;
  summary: string | null;
  log: string | undefined;
}

export interface StatusNode extends Identified {
  readonly type: 'StatusContext';
  readonly repository: Repository;
  readonly sha: string;
  readonly context: string;
  readonly state: string;
  readonly description: string | null;
}

/** A commit as GraphQL shows it; git itself holds it. */
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
  | Field
  | Item
  | FieldValue
  | Draft
  | CheckRunNode
  | StatusNode;

/** Whose fields a finished answer may have rewritten. */
export type RewritableNode = GithubNode | CommitNode;
