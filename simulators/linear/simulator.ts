/** Linear as its clients see it: what a test, a demo or a person at a terminal may ask of the simulator. */
import type { Rewrite } from '../rewrites.ts';
import type { LinearNode } from './model/nodes.ts';

/**
 * One process-local Linear on loopback: GraphQL at `{url}/graphql`, executed on the schema that Linear's own SDK publishes. Whatever
 * people and integrations would do goes through `people`; whatever goes wrong is switched on in `faults`. Nothing else
 * changes it but its clients.
 */
export interface LinearSimulator {
  /** What `linear.url` is set to. */
  readonly url: string;
  readonly people: People;
  readonly faults: Faults;
  /** Requests so far, newest last. */
  requests(): readonly SeenRequest[];
  /** Everything a test compares at the end, as plain data. */
  snapshot(): LinearSnapshot;
  close(): Promise<void>;
}

/** `ENG-21`, as Linear shows it; whatever takes one takes the UUID, too. */
type Identifier = string;

/** The administrator's and everybody's hand; each call is one change made by `user`, named as it was given to `user()`. */
export interface People {
  /** A member of the workspace; resolves to the UUID. `guest` sees only the teams it is a member of; `active` false has left. */
  user(name: string, user?: { readonly guest?: boolean; readonly active?: boolean }): string;
  /** A personal API key, as `lin_api_…`; `scopes` as Linear has them (`read`, `write`, `admin` …), all where absent. */
  apiKey(user: string, scopes?: readonly string[]): string;
  /** An OAuth app that acts as itself: a user of its own, and a bearer token. */
  app(name: string, scopes?: readonly string[]): { readonly id: string; readonly accessToken: string };

  /** Resolves to the UUID; every member of the workspace is a member of it unless it is private. */
  team(team: NewTeam): string;
  join(user: string, teamKey: string): void;
  /** Resolves to the UUID; of the workspace where no team is named. `group` is the label it is in, of which an issue has only one. */
  label(label: { readonly name: string; readonly team?: string; readonly group?: string }): string;
  project(name: string, teamKeys: readonly string[]): string;

  issue(teamKey: string, issue: NewIssue): Identifier;
  move(user: string, issue: Identifier, state: string): void;
  setLabels(
    user: string,
    issue: Identifier,
    change: { readonly add?: readonly string[]; readonly remove?: readonly string[] },
  ): void;
  /** Resolves to the comment's UUID; `parent` is the comment it answers. */
  comment(user: string, issue: Identifier, body: string, parent?: string): string;
  /** A comment of somebody outside, through a synced Slack thread, an e-mail or the like. */
  externalComment(name: string, issue: Identifier, body: string): string;
  edit(
    user: string,
    issue: Identifier,
    text: { readonly title?: string; readonly description?: string; readonly priority?: number },
  ): void;
  assign(user: string, issue: Identifier, assignee: string | null): void;
  putIntoProject(user: string, issue: Identifier, project: string | null): void;
  /** The new identifier: it has another number in another team, and the old one leads to it. */
  moveToTeam(user: string, issue: Identifier, teamKey: string): Identifier;
  archive(user: string, issue: Identifier): void;
  unarchive(user: string, issue: Identifier): void;
  trash(user: string, issue: Identifier): void;
  /** Gone for good. */
  delete(issue: Identifier): void;
  /** `issue` is blocked by the other one; resolves to the UUID of the relation. */
  block(issue: Identifier, by: Identifier): string;
  unblock(relation: string): void;
  attach(issue: Identifier, attachment: { readonly url: string; readonly title?: string }): void;

  renameState(teamKey: string, from: string, to: string): void;
}

export interface NewTeam {
  readonly key: string;
  readonly name: string;
  /** In their order; those of a new Linear team where absent: Backlog, Todo, In Progress, In Review, Done, Canceled, Duplicate. */
  readonly states?: readonly { readonly name: string; readonly type: StateType }[];
  /** Adds a state of the type `triage`, which Linear keeps apart. */
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
  /** A user; where it is absent somebody outside wrote it, named by `external`. */
  readonly creator?: string;
  readonly external?: string;
  readonly title: string;
  readonly description?: string;
  readonly state?: string;
  readonly labels?: readonly string[];
  readonly priority?: 0 | 1 | 2 | 3 | 4;
  readonly project?: string;
  readonly parent?: Identifier;
}

/** What goes wrong; each stays on until it is switched off, or for the number of requests it names. */
export interface Faults {
  /** The next requests that match answer like this instead; `executed` ones are carried out before. */
  next(fault: NextFault): void;
  /** The share of writes that are carried out while their answer is lost; drawn from the seed. */
  loseWrites(share: number, seed: number): void;
  /** No request is answered at all (connections are refused or hang), or every one with this status. */
  outage(kind: 'refused' | 'hanging' | 500 | 502 | 503 | undefined): void;
  /** Of every account from now on, by the hour; they flow back evenly. */
  limits(limits: { readonly requests?: Allowance; readonly complexity?: Allowance }): void;
  /** Where webhooks go, how they are signed, and what happens on the way. */
  webhooks(target: WebhookTarget | undefined): void;
  /**
   * From now on a field of the nodes that match is answered otherwise: with what `answer` makes of its value, or with the
   * `LinearRefusal` it throws. Returns the way to end that.
   */
  field(
    matches: (node: LinearNode) => boolean,
    field: string,
    answer: (value: unknown) => unknown,
  ): () => void;
  /** From now on finished answers are rewritten, past the schema. Returns the way to end that. */
  rewrite(rewrite: Rewrite<LinearNode>): () => void;
}

export interface Allowance {
  readonly limit: number;
  readonly remaining?: number;
}

export interface NextFault {
  /** A part of the operation's name; any request where absent. */
  readonly matching?: string;
  readonly times?: number;
  readonly answer:
    | { readonly status: 500 | 502 | 503 | 504 }
    /** No answer comes, and the connection stays. */
    | { readonly timeout: true }
    | { readonly reset: true }
    | { readonly rateLimit: 'requests' | 'complexity'; readonly resetsInSeconds: number }
    /** Data for some, an error beside it. */
    | { readonly partial: true }
    /** Null at this path of the data, such as `issueCreate.issue`. */
    | { readonly nulled: string }
    /** An error as Linear words it, such as `lock timeout`, `forbidden`, `invalid input`. */
    | { readonly errorType: string; readonly message?: string };
  readonly executed?: boolean;
}

export interface WebhookTarget {
  readonly url: string;
  readonly secret: string;
  readonly dropped?: 'all';
  /** Each is delivered this often. */
  readonly times?: number;
  /** Delivered in an order drawn from this seed. */
  readonly shuffled?: number;
  /** How old the signed body says it is. */
  readonly ageMs?: number;
}

export interface SeenRequest {
  /** The operation's name. */
  readonly name: string;
  readonly write: boolean;
  readonly user: string;
  readonly complexity: number;
  /** 0 where no answer came. */
  readonly status: number;
}

export interface LinearSnapshot {
  readonly issues: readonly {
    readonly identifier: Identifier;
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
    readonly blockedBy: readonly Identifier[];
    readonly attachments: readonly string[];
    readonly comments: readonly { readonly id: string; readonly author: string; readonly body: string }[];
  }[];
  readonly states: Readonly<Record<string, readonly { readonly name: string; readonly type: StateType }[]>>;
  readonly labels: readonly { readonly name: string; readonly team: string | null }[];
}
