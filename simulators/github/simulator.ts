/** GitHub as its clients see it: what a test, a demo or a person at a terminal may ask of the simulator. */
import type { Rewrite } from '../rewrites.ts';
import type { GithubNode, RewritableNode } from './model/nodes.ts';

/**
 * One process-local GitHub on loopback, laid out as a GitHub Enterprise Server: GraphQL at `/api/graphql`, REST below `/api/v3`,
 * git over HTTP at `/{owner}/{repo}.git`. Whatever people and other programs would do goes through `people`, `checks` and
 * `git`; whatever goes wrong is switched on in `faults`. Nothing else changes it but its clients.
 */
export interface GithubSimulator {
  readonly url: string;
  readonly people: People;
  readonly checks: Checks;
  readonly faults: Faults;
  /** Requests so far, newest last; git's own are not among them. */
  requests(): readonly SeenRequest[];
  /** Everything a test compares at the end, as plain data. */
  snapshot(): GithubSnapshot;
  close(): Promise<void>;
}

export type RepoName = `${string}/${string}`;
export type Permission = 'ADMIN' | 'MAINTAIN' | 'WRITE' | 'TRIAGE' | 'READ';

/** The administrator's and everybody's hand; each call is one change made by `login`. */
export interface People {
  user(login: string): void;
  organization(login: string, members?: readonly string[]): void;
  /** A personal access token; without `scopes` it may do all the account may. */
  token(login: string, scopes?: readonly string[]): string;
  /** A GitHub App installed on an owner's repositories; it acts as `{slug}[bot]`. */
  app(app: NewApp): InstalledApp;

  /** A bare repository with a first commit of these files on its base. */
  repository(name: RepoName, repository?: NewRepository): Promise<void>;
  grant(name: RepoName, login: string, permission: Permission): void;
  protect(name: RepoName, branch: string, protection: Protection): void;
  /** The folder of the bare repository, for git behind GitHub's back. */
  folder(name: RepoName): string;

  /** Resolves to the project's number. */
  project(owner: string, project?: NewProject): number;
  issue(name: RepoName, issue: NewIssue): number;
  addToProject(project: ProjectName, name: RepoName, number: number, status?: string): void;
  /** A draft lives on its board alone. */
  addDraft(
    project: ProjectName,
    draft: {
      readonly author: string;
      readonly title: string;
      readonly body?: string;
      readonly status?: string;
    },
  ): void;
  removeFromProject(project: ProjectName, name: RepoName, number: number): void;
  /** `archived` false takes it out of the archive again. */
  archive(login: string, project: ProjectName, name: RepoName, number: number, archived?: boolean): void;
  move(login: string, project: ProjectName, name: RepoName, number: number, status: string): void;
  setField(project: ProjectName, name: RepoName, number: number, field: string, option: string): void;
  label(login: string, name: RepoName, number: number, change: { add?: string[]; remove?: string[] }): void;
  comment(login: string, name: RepoName, number: number, body: string): void;
  editIssue(login: string, name: RepoName, number: number, text: { title?: string; body?: string }): void;
  closeIssue(login: string, name: RepoName, number: number): void;
  reopenIssue(login: string, name: RepoName, number: number): void;
  /** Native issue dependencies. */
  block(name: RepoName, number: number, by: { readonly name: RepoName; readonly number: number }): void;

  pullRequest(
    login: string,
    name: RepoName,
    pullRequest: { head: string; title: string; body: string; draft?: boolean },
  ): Promise<number>;
  review(
    login: string,
    name: RepoName,
    number: number,
    verdict: 'APPROVED' | 'CHANGES_REQUESTED' | 'COMMENTED',
    body?: string,
  ): Promise<void>;
  merge(login: string, name: RepoName, number: number): Promise<string>;
  closePullRequest(login: string, name: RepoName, number: number): void;
}

/** `owner/number`. */
export type ProjectName = `${string}/${number}`;

export interface NewRepository {
  readonly private?: boolean;
  readonly base?: string;
  readonly files?: Readonly<Record<string, string>>;
  readonly labels?: readonly string[];
}

export interface NewProject {
  readonly title?: string;
  readonly public?: boolean;
  /** The options of its `Status` field, in their order; those of a new GitHub project where absent. */
  readonly statuses?: readonly string[];
  readonly fields?: Readonly<Record<string, readonly string[]>>;
}

export interface NewIssue {
  readonly author: string;
  readonly title: string;
  readonly body?: string;
  readonly labels?: readonly string[];
  readonly parent?: number;
  readonly project?: ProjectName;
  readonly status?: string;
}

export interface NewApp {
  readonly slug: string;
  readonly owner: string;
  /** As in an installation's `permissions`: `{ issues: 'write', pull_requests: 'write' … }`; all of them where absent. */
  readonly permissions?: Readonly<Record<string, 'read' | 'write'>>;
}

export interface InstalledApp {
  readonly appId: number;
  readonly installationId: number;
  /** PEM; only its bearer can ask for tokens. */
  readonly privateKey: string;
}

export interface Protection {
  readonly requiredChecks?: readonly string[];
  readonly requiredApprovals?: number;
  /** Whether a branch must hold the newest base before it is merged. */
  readonly strict?: boolean;
}

/** What CI says. */
export interface Checks {
  /** A check run of a commit; `conclusion` null while it runs. */
  run(name: RepoName, sha: string, check: CheckRun): void;
  /** A commit status of an older service. */
  status(
    name: RepoName,
    sha: string,
    context: string,
    state: 'SUCCESS' | 'FAILURE' | 'ERROR' | 'PENDING',
    description?: string,
  ): void;
  /** From now on each push to a branch is checked by this command, in a clean checkout, as a workflow would. */
  onPush(name: RepoName, workflow: { readonly check: string; readonly argv: readonly string[] }): void;
}

export interface CheckRun {
  readonly name: string;
  readonly conclusion:
    | 'SUCCESS'
    | 'FAILURE'
    | 'CANCELLED'
    | 'TIMED_OUT'
    | 'SKIPPED'
    | 'NEUTRAL'
    | 'ACTION_REQUIRED'
    | 'STARTUP_FAILURE'
    | 'STALE'
    | null;
  /** Served as the log of its job, where it is one of GitHub Actions. */
  readonly log?: string;
  readonly summary?: string;
}

/** What goes wrong; each stays on until it is switched off, or for the number of requests it names. */
export interface Faults {
  /** The next requests that match answer like this instead; `executed` ones are carried out before. */
  next(fault: NextFault): void;
  /** The share of writes that are carried out while their answer is lost; drawn from the seed. */
  loseWrites(share: number, seed: number): void;
  /** No request is answered at all (connections are refused or hang), or every one with this status. */
  outage(kind: 'refused' | 'hanging' | 500 | 502 | 503 | undefined): void;
  /** Points of every account from now on. */
  points(limit: number, remaining?: number): void;
  /** How often mergeability is UNKNOWN before it is computed, after a push to head or base. Once by default. */
  unknownMergeability(times: number): void;
  /** Where webhooks go, how they are signed, and what happens on the way. */
  webhooks(target: WebhookTarget | undefined): void;
  /**
   * From now on a field of the nodes that match is answered otherwise: with what `answer` makes of its value, or with the
   * `GithubRefusal` it throws. Returns the way to end that.
   */
  field(
    matches: (node: GithubNode) => boolean,
    field: string,
    answer: (value: unknown) => unknown,
  ): () => void;
  /** From now on finished answers are rewritten, past the schema. Returns the way to end that. */
  rewrite(rewrite: Rewrite<RewritableNode>): () => void;
  /** From now on whole requests are refused with the text this returns, before anything is read; undefined lets one pass. */
  refuse(refusal: (asked: RefusableRequest) => string | undefined): () => void;
}

export interface RefusableRequest {
  readonly name: string;
  readonly variables: Readonly<Record<string, unknown>>;
}

export interface NextFault {
  /** A part of the operation's name or the route; any request where absent. */
  readonly matching?: string;
  readonly times?: number;
  readonly answer:
    | { readonly status: 403 | 410 | 500 | 502 | 503 | 504 }
    | { readonly timeout: true }
    | { readonly reset: true }
    | { readonly rateLimit: 'primary' | 'secondary'; readonly retryAfterSeconds: number }
    /** Data for some, an error beside it. */
    | { readonly partial: true };
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
}

export interface SeenRequest {
  readonly kind: 'graphql' | 'rest';
  /** The operation's name, or the route as documented. */
  readonly name: string;
  readonly write: boolean;
  readonly login: string;
  /** Points it cost. */
  readonly cost: number;
  /** 0 where no answer came. */
  readonly status: number;
}

export interface GithubSnapshot {
  readonly issues: readonly {
    readonly repo: RepoName;
    readonly number: number;
    readonly title: string;
    readonly state: 'OPEN' | 'CLOSED';
    readonly labels: readonly string[];
    readonly statuses: Readonly<Record<string, string | null>>;
    readonly comments: readonly { readonly author: string; readonly body: string }[];
  }[];
  readonly pullRequests: readonly {
    readonly repo: RepoName;
    readonly number: number;
    readonly head: string;
    readonly state: 'OPEN' | 'CLOSED' | 'MERGED';
    readonly author: string;
    readonly title: string;
    readonly body: string;
    readonly labels: readonly string[];
    readonly reviews: readonly { readonly author: string; readonly state: string; readonly sha: string }[];
    readonly comments: readonly { readonly author: string; readonly body: string }[];
  }[];
}
