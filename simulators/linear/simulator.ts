/** Defines the interface of the Linear simulator for tests, demos and people at a terminal. */
import type { FieldRewrite } from '../rewrites.ts';
import type { LinearNode } from './model/nodes.ts';

/**
 * One process-local Linear on loopback: GraphQL at `{url}/graphql`, executed on the schema that
 * Linear's own SDK publishes. Actions of people and integrations go through `people`, and failures
 * are injected through `faults`. All other changes are made by its clients.
 */
export interface LinearSimulator {
  /** Value for `linear.url`. */
  readonly url: string;
  readonly people: LinearPeople;
  readonly faults: LinearFaults;
  /** Requests so far, newest last. */
  requests(): readonly SeenRequest[];
  /** Returns everything that tests compare at the end, as plain data. */
  snapshot(): LinearSnapshot;
  close(): Promise<void>;
}

/**
 * An identifier such as `ENG-21`, as Linear shows it. Every parameter of this type also accepts the
 * issue's UUID.
 */
type IssueIdentifier = string;

/**
 * Actions of administrators and users. Each call is one change made by `user`, who must have been
 * created with `user()` first.
 */
export interface LinearPeople {
  /**
   * Adds a member of the workspace and returns the UUID. A `guest` sees only its own teams.
   * `active: false` means deactivated.
   */
  user(name: string, user?: { readonly guest?: boolean; readonly active?: boolean }): string;
  /**
   * Creates a personal API key (`lin_api_…`). `scopes` are Linear's (`read`, `write`, `admin` …)
   * and default to all.
   */
  apiKey(user: string, scopes?: readonly string[]): string;
  /** Creates an OAuth app that acts as itself, with its own user and a bearer token. */
  app(name: string, scopes?: readonly string[]): { readonly id: string; readonly accessToken: string };

  /**
   * Creates a team and returns its UUID. Every member of the workspace belongs to the team unless
   * it is private.
   */
  team(team: NewTeam): string;
  join(user: string, teamKey: string): void;
  /**
   * Creates a label and returns its UUID. Without a team, it is a workspace label. `group` is the
   * parent label; an issue can have at most one of its children.
   */
  label(label: { readonly name: string; readonly team?: string; readonly group?: string }): string;
  project(name: string, teamKeys: readonly string[]): string;

  issue(teamKey: string, issue: NewIssue): IssueIdentifier;
  move(user: string, issue: IssueIdentifier, state: string): void;
  setLabels(
    user: string,
    issue: IssueIdentifier,
    change: { readonly add?: readonly string[]; readonly remove?: readonly string[] },
  ): void;
  /** Adds a comment and returns its UUID. `parent` is the comment it replies to. */
  comment(user: string, issue: IssueIdentifier, body: string, parent?: string): string;
  /** Adds a comment by an external person, for example from a synced Slack thread or an e-mail. */
  externalComment(name: string, issue: IssueIdentifier, body: string): string;
  edit(
    user: string,
    issue: IssueIdentifier,
    text: { readonly title?: string; readonly description?: string; readonly priority?: number },
  ): void;
  assign(user: string, issue: IssueIdentifier, assignee: string | null): void;
  putIntoProject(user: string, issue: IssueIdentifier, project: string | null): void;
  /**
   * Returns the new identifier. The issue gets a new number in the other team and can still be
   * found by its old identifier.
   */
  moveToTeam(user: string, issue: IssueIdentifier, teamKey: string): IssueIdentifier;
  archive(user: string, issue: IssueIdentifier): void;
  unarchive(user: string, issue: IssueIdentifier): void;
  trash(user: string, issue: IssueIdentifier): void;
  /** Deletes the issue permanently. */
  delete(issue: IssueIdentifier): void;
  /** Marks `issue` as blocked by the issue `by`. Returns the UUID of the relation. */
  block(issue: IssueIdentifier, by: IssueIdentifier): string;
  unblock(relation: string): void;
  attach(issue: IssueIdentifier, attachment: { readonly url: string; readonly title?: string }): void;

  renameState(teamKey: string, from: string, to: string): void;
}

export interface NewTeam {
  readonly key: string;
  readonly name: string;
  /**
   * States in order. Defaults to those of a new Linear team: Backlog, Todo, In Progress, In Review,
   * Done, Canceled, Duplicate.
   */
  readonly states?: readonly { readonly name: string; readonly type: StateType }[];
  /** Adds a state of the type `triage`, which Linear keeps separate from the other states. */
  readonly triage?: boolean;
  readonly private?: boolean;
}

export type StateType =
  | 'triage'
  | 'backlog'
  | 'unstarted'
  | 'started'
  | 'completed'
  | 'canceled'
  | 'duplicate';

interface NewIssue {
  /** The user who created the issue. If absent, the external person in `external` created it. */
  readonly creator?: string;
  readonly external?: string;
  readonly title: string;
  readonly description?: string;
  readonly state?: string;
  readonly labels?: readonly string[];
  readonly priority?: 0 | 1 | 2 | 3 | 4;
  readonly project?: string;
  readonly parent?: IssueIdentifier;
}

/**
 * Injected faults. Each stays active until it is switched off, or for the specified number of
 * requests.
 */
export interface LinearFaults {
  /**
   * Answers the next matching requests with this fault. If `executed` is set, each of these
   * requests is executed first.
   */
  next(fault: NextFault): void;
  /**
   * Sets the share of writes that are executed but whose response is lost. The seed determines
   * which ones.
   */
  loseWrites(share: number, seed: number): void;
  /**
   * Starts an outage: connections are refused or hang, or every request gets this status. Undefined
   * ends the outage.
   */
  outage(kind: 'refused' | 'hanging' | 500 | 502 | 503 | undefined): void;
  /** Sets the hourly limits of every account. They refill evenly. */
  limits(limits: { readonly requests?: BudgetAllowance; readonly complexity?: BudgetAllowance }): void;
  /** Sets where webhooks go, how they are signed, and which delivery faults apply. */
  webhooks(target: WebhookTarget | undefined): void;
  /**
   * Overrides a field of the matching nodes with the result of `answer`, or with the
   * `LinearRefusal` it throws. Returns a function that removes the override.
   */
  field(
    matches: (node: LinearNode) => boolean,
    field: string,
    answer: (value: unknown) => unknown,
  ): () => void;
  /**
   * Rewrites finished responses, bypassing the schema. Returns a function that removes the rewrite.
   */
  rewrite(rewrite: FieldRewrite<LinearNode>): () => void;
}

export interface BudgetAllowance {
  readonly limit: number;
  readonly remaining?: number;
}

export interface NextFault {
  /** A part of the operation's name. Matches any request if absent. */
  readonly matching?: string;
  readonly times?: number;
  readonly answer:
    | { readonly status: 500 | 502 | 503 | 504 }
    /** Sends no response and keeps the connection open. */
    | { readonly timeout: true }
    | { readonly reset: true }
    | { readonly rateLimit: 'requests' | 'complexity'; readonly resetsInSeconds: number }
    /** Returns partial data and an error. */
    | { readonly partial: true }
    /** Sets null at this path of the data, such as `issueCreate.issue`. */
    | { readonly nulled: string }
    /** An error of one of Linear's types, such as `lock timeout`, `forbidden`, `invalid input`. */
    | { readonly errorType: string; readonly message?: string };
  readonly executed?: boolean;
}

export interface WebhookTarget {
  readonly url: string;
  readonly secret: string;
  readonly dropped?: 'all';
  /** Number of times each webhook is delivered. */
  readonly times?: number;
  /** Delivers in a random order that depends on this seed. */
  readonly shuffled?: number;
  /** Age of the delivery according to the time in its signed body. */
  readonly ageMs?: number;
}

export interface SeenRequest {
  /** The operation's name. */
  readonly name: string;
  readonly write: boolean;
  readonly user: string;
  readonly complexity: number;
  /** 0 if no response was sent. */
  readonly status: number;
}

export interface LinearSnapshot {
  readonly issues: readonly {
    readonly identifier: IssueIdentifier;
    readonly team: string;
    readonly title: string;
    readonly description: string;
    readonly state: string;
    readonly stateType: StateType;
    readonly labels: readonly string[];
    readonly priority: number;
    readonly assignee: string | null;
    readonly archived: boolean;
    readonly trashed: boolean;
    readonly blockedBy: readonly IssueIdentifier[];
    readonly attachments: readonly string[];
    readonly comments: readonly { readonly id: string; readonly author: string; readonly body: string }[];
  }[];
  readonly states: Readonly<Record<string, readonly { readonly name: string; readonly type: StateType }[]>>;
  readonly labels: readonly { readonly name: string; readonly team: string | null }[];
}
