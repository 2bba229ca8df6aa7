/** The port to GitHub's two APIs, used by the tracker, the forge and the command line. */

import type { ApiBudget } from '../../../core/model/api-budget.ts';
import type { FaultCode } from '../../../core/model/fault.ts';

/**
 * Contract:
 *
 * - **One call is one request.** The client does not retry, split or delay: the caller knows
 *   whether a retry is safe, and callers count the request budget. Writes of one client go out one
 *   after another.
 * - **A response is complete or an error.** If a GraphQL response has `errors`, the call rejects,
 *   even if the response also has data. `tolerates` lists the error types that a query expects
 *   (`NOT_FOUND` of one alias among many); their positions are then `null`.
 * - **A rejected write may have happened** if the fault is `github.unavailable`: no response or
 *   only part of one arrived in time. Every other fault means that GitHub refused and did nothing.
 * - **Every failure is a coded `LegionError`**: `github.unavailable` (network, 5xx, timeout;
 *   retryable), `github.rate_limited` (retryable, with `retryAt`), `github.unauthorized`,
 *   `github.forbidden`, `github.missing`, `github.refused`. An aborted call rejects with the reason
 *   of its signal.
 * - **No message contains a secret.**
 */
export interface GithubClient {
  /** Sends a GraphQL query. */
  query<T>(document: string, variables: GithubVariables, how: GithubQueryOptions): Promise<T>;
  /**
   * Queries many items. Errors that concern only part of the response are returned beside the data,
   * in which the affected positions are `null`.
   */
  queryPartially<T>(
    document: string,
    variables: GithubVariables,
    how: Omit<GithubQueryOptions, 'tolerates'>,
  ): Promise<PartialAnswer<T>>;
  /** Sends one or several GraphQL mutations in one document. GitHub runs them in order. */
  mutate<T>(document: string, variables: GithubVariables, how?: GithubCallOptions): Promise<T>;
  /**
   * Sends a REST request such as `GET /repos/{owner}/{repo}/issues/{issue_number}`. The data is
   * undefined for a 304, which only occurs with an `etag`.
   */
  rest<T>(
    route: string,
    parameters: GithubVariables,
    how?: GithubCallOptions & { readonly etag?: string },
  ): Promise<RestAnswer<T>>;

  /** Returns the account behind a role as GitHub shows it: `legion-impl[bot]`, `ada`. Cached. */
  login(role?: GithubRole): Promise<string>;
  /**
   * Returns the remaining GraphQL points as of the last response. GraphQL points run out before the
   * REST budget does. Undefined before the first response.
   */
  budget(): ApiBudget | undefined;
}

/**
 * The acting role: `impl` for the modes implement and merge, `review` for the others. Without a
 * role, Legion itself acts. A role without its own identity acts as Legion.
 */
export type GithubRole = 'impl' | 'review';

export type GithubVariables = Readonly<Record<string, unknown>>;

export interface GithubCallOptions {
  readonly as?: GithubRole;
  readonly signal?: AbortSignal;
}

export interface GithubQueryOptions extends GithubCallOptions {
  readonly signal: AbortSignal;
  /**
   * Error types, as in GitHub's `errors[].type`, that do not make the call reject. The response
   * contains `null` in their place.
   */
  readonly tolerates?: readonly string[];
}

export interface PartialAnswer<T> {
  readonly data: T;
  readonly refusals: readonly GithubRefusal[];
}

/** An error that affects only part of a response. */
export interface GithubRefusal {
  /** The path in the response, such as `['a3']` or `['nodes', 7, 'parent']`. */
  readonly path: readonly (string | number)[];
  readonly code: FaultCode;
  /** GitHub's error text, safe to show. */
  readonly message: string;
}

export interface RestAnswer<T> {
  /** Undefined if nothing has changed since the response with this `etag`. */
  readonly data: T | undefined;
  readonly etag?: string;
  /** Address of the next page, from the `link` header. */
  readonly next?: string;
}

export interface GithubActor {
  readonly __typename: string;
  readonly login: string;
}

/** GitHub's own name for deleted accounts. */
const GHOST = 'ghost';

/**
 * Returns one name per GitHub account for all APIs. An app's account is `legion[bot]` in REST and
 * on the website, and `legion` with type Bot in GraphQL. A person may also be called `legion`, so
 * the type decides, not the name.
 */
export function toAccountName(actor: GithubActor | null): string {
  if (actor === null) return GHOST;
  const { __typename: type, login } = actor;
  return type === 'Bot' && !login.endsWith('[bot]') ? `${login}[bot]` : login;
}

/** Compares GitHub logins, which are case-insensitive. */
export function isSameLogin(one: string, other: string): boolean {
  return one.toLowerCase() === other.toLowerCase();
}

/** The source of an account's token. */
export interface TokenSource {
  /**
   * Describes the source for people: `credentials.github.token`, `the variable GH_TOKEN`, `GitHub
   * App 17`. Never contains a secret.
   */
  describe(): Promise<string>;
  /**
   * Returns a token that stays valid for a few minutes. Rejects with `github.unauthorized` if there
   * is none.
   */
  token(): Promise<string>;
  /** Returns another token after GitHub rejected `refused`. Undefined if there is no other. */
  renew(refused: string): Promise<string | undefined>;
}

export interface GithubResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | undefined>>;
  readonly data: unknown;
}

/** A label in GitHub's responses. */
export interface LabelAnswer {
  readonly id: string;
  readonly name: string;
}

export interface GithubRequest {
  /** Method and path, such as `GET /repos/{owner}/{repo}`, or method and full URL. */
  readonly route: string;
  readonly parameters: GithubVariables;
  readonly etag?: string | undefined;
  readonly signal?: AbortSignal | undefined;
}
