/** Defines the interface of the GitHub simulator for tests, demos and people at a terminal. */
import type { FieldRewrite } from '../rewrites.ts';
import type { GithubNode, RewritableNode } from './model/nodes.ts';

/**
 * One process-local GitHub on loopback with the URLs of a GitHub Enterprise Server: GraphQL at
 * `/api/graphql`, REST below `/api/v3`, git over HTTP at `/{owner}/{repo}.git`. Actions of people
 * and other programs go through `people`, `checks` and `git`, and failures are injected through
 * `faults`. All other changes are made by its clients.
 */
export interface GithubSimulator {
  readonly url: string;
  readonly people: GithubPeople;
  readonly checks: GithubChecks;
  readonly faults: GithubFaults;
  /** API requests so far, newest last. Requests by git are not included. */
  requests(): readonly SeenRequest[];
  /** Returns everything that tests compare at the end, as plain data. */
  snapshot(): GithubSnapshot;
  close(): Promise<void>;
}

export type RepoName = `${string}/${string}`;
export type RepositoryPermission = 'ADMIN' | 'MAINTAIN' | 'WRITE' | 'TRIAGE' | 'READ';

/** Actions of administrators and users. Each call is one change made by `login`. */
export interface GithubPeople {
  user(login: string): void;
  organization(login: string, members?: readonly string[]): void;
  /** Creates a personal access token. Without `scopes` it has all permissions of the account. */
  token(login: string, scopes?: readonly string[]): string;
  /** Installs a GitHub App on an owner's repositories. It acts as `{slug}[bot]`. */
  app(app: NewApp): InstalledApp;

  /** Creates a bare repository with an initial commit of these files on its base branch. */
  repository(name: RepoName, repository?: NewRepository): Promise<void>;
  grant(name: RepoName, login: string, permission: RepositoryPermission): void;
  protect(name: RepoName, branch: string, protection: BranchProtection): void;
  /** Returns the directory of the bare repository, for git operations that bypass GitHub. */
  folder(name: RepoName): string;

  /** Creates a project and returns its number. */
  project(owner: string, project?: NewProject): number;
  issue(name: RepoName, issue: NewIssue): number;
  addToProject(project: ProjectName, name: RepoName, number: number, status?: string): void;
  /** Adds a draft, which exists only on its board. */
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
  /** Archives an item, or unarchives it if `archived` is false. */
  archive(login: string, project: ProjectName, name: RepoName, number: number, archived?: boolean): void;
  move(login: string, project: ProjectName, name: RepoName, number: number, status: string): void;
  setField(project: ProjectName, name: RepoName, number: number, field: string, option: string): void;
  label(login: string, name: RepoName, number: number, change: { add?: string[]; remove?: string[] }): void;
  comment(login: string, name: RepoName, number: number, body: string): void;
  editIssue(login: string, name: RepoName, number: number, text: { title?: string; body?: string }): void;
  closeIssue(login: string, name: RepoName, number: number): void;
  reopenIssue(login: string, name: RepoName, number: number): void;
  /** Adds a native issue dependency. */
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
  /** Options of the `Status` field, in order. Defaults to those of a new GitHub project. */
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
  /**
   * In the format of an installation's `permissions`: `{ issues: 'write', pull_requests: 'write' …
   * }`. Defaults to all.
   */
  readonly permissions?: Readonly<Record<string, 'read' | 'write'>>;
}

export interface InstalledApp {
  readonly appId: number;
  readonly installationId: number;
  /** Private key in PEM format, needed to request tokens. */
  readonly privateKey: string;
}

export interface BranchProtection {
  readonly requiredChecks?: readonly string[];
  readonly requiredApprovals?: number;
  /** Whether a branch must contain the latest base before it is merged. */
  readonly strict?: boolean;
}

/** Results of CI. */
export interface GithubChecks {
  /** Records a check run of a commit. `conclusion` is null while it runs. */
  run(name: RepoName, sha: string, check: CheckRun): void;
  /** Records a commit status, as older services report it. */
  status(
    name: RepoName,
    sha: string,
    context: string,
    state: 'SUCCESS' | 'FAILURE' | 'ERROR' | 'PENDING',
    description?: string,
  ): void;
  /**
   * Checks each later push to a branch with this command, in a clean checkout, as a workflow would.
   */
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
  /** Log of the check's job. If set, the check is a GitHub Actions check. */
  readonly log?: string;
  readonly summary?: string;
}

/**
 * Injected faults. Each stays active until it is switched off, or for the specified number of
 * requests.
 */
export interface GithubFaults {
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
  /** Sets the rate limit points of every account. */
  points(limit: number, remaining?: number): void;
  /**
   * Sets how many reads return UNKNOWN after a push to head or base, before the mergeability is
   * computed. Defaults to one.
   */
  unknownMergeability(times: number): void;
  /** Sets where webhooks go, how they are signed, and which delivery faults apply. */
  webhooks(target: WebhookTarget | undefined): void;
  /**
   * Overrides a field of the matching nodes with the result of `answer`, or with the
   * `GithubRefusal` it throws. Returns a function that removes the override.
   */
  field(
    matches: (node: GithubNode) => boolean,
    field: string,
    answer: (value: unknown) => unknown,
  ): () => void;
  /**
   * Rewrites finished responses, bypassing the schema. Returns a function that removes the rewrite.
   */
  rewrite(rewrite: FieldRewrite<RewritableNode>): () => void;
  /**
   * Rejects a whole request, before anything is read, with the text that `refusal` returns. If
   * `refusal` returns undefined, the request is answered normally.
   */
  refuse(refusal: (asked: RefusableRequest) => string | undefined): () => void;
}

export interface RefusableRequest {
  readonly name: string;
  readonly variables: Readonly<Record<string, unknown>>;
}

export interface NextFault {
  /** A part of the operation's name or the route. Matches any request if absent. */
  readonly matching?: string;
  readonly times?: number;
  readonly answer:
    | { readonly status: 403 | 410 | 500 | 502 | 503 | 504 }
    | { readonly timeout: true }
    | { readonly reset: true }
    | { readonly rateLimit: 'primary' | 'secondary'; readonly retryAfterSeconds: number }
    /** Returns partial data and an error. */
    | { readonly partial: true };
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
}

export interface SeenRequest {
  readonly kind: 'graphql' | 'rest';
  /** The operation's name, or the documented route. */
  readonly name: string;
  readonly write: boolean;
  readonly login: string;
  /** Cost of the request in points. */
  readonly cost: number;
  /** 0 if no response was sent. */
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
