/** The port to GitHub's two APIs that the tracker, the forge and the command line ask through. */
import type { ApiBudget } from '../core/model/api-budget.ts';
import type { FaultCode } from '../core/model/fault.ts';

/**
 * Contract:
 *
 * - **One call is one request.** Nothing is retried, split or slept on here: whoever calls knows whether a second time is
 *   safe, and the budget of requests is counted by its users. Writes of one client go out one after another.
 * - **An answer is whole or an error.** A GraphQL answer with `errors` rejects, even where it has data beside them; `tolerates`
 *   names the kinds of error a query expects (`NOT_FOUND` of one alias among many), and then their places are `null`.
 * - **A rejected write may have happened**: no answer came back in time, or only half of one did. `github.unavailable` is
 *   that; every other fault says that GitHub has refused and done nothing.
 * - **Every failure is a coded `LegionError`**: `github.unavailable` (network, 5xx, timeout; retryable), `github.rate_limited`
 *   (retryable, with `retryAt`), `github.unauthorized`, `github.forbidden`, `github.missing`, `github.refused`. An aborted call rejects with
 *   the reason of its signal.
 * - **No secret is ever in a message.**
 */
export interface GithubClient {
  /** A GraphQL query. */
  query<T>(document: string, variables: Variables, how: Asking): Promise<T>;
  /** The same for many items: errors that have a place in the answer come beside the data, and their places are `null`. */
  queryPartially<T>(
    document: string,
    variables: Variables,
    how: Omit<Asking, 'tolerates'>,
  ): Promise<PartialAnswer<T>>;
  /** A GraphQL mutation, or several of one document, which GitHub performs in their order. */
  mutate<T>(document: string, variables: Variables, how?: Acting): Promise<T>;
  /** A REST request such as `GET /repos/{owner}/{repo}/issues/{issue_number}`; `undefined` for 304, only after an `etag`. */
  rest<T>(
    route: string,
    parameters: Variables,
    how?: Acting & { readonly etag?: string },
  ): Promise<RestAnswer<T>>;

  /** The account behind a role, as GitHub shows it: `legion-impl[bot]`, `ada`. Asked once. */
  login(role?: Role): Promise<string>;
  /** GraphQL points, which run out first, as of the last answer; undefined before the first. */
  budget(): ApiBudget | undefined;
}

/**
 * As whom: `impl` for the modes implement and merge, `review` for the others; Legion itself where none is named. A role that has no
 * identity of its own acts as Legion itself.
 */
export type Role = 'impl' | 'review';

export type Variables = Readonly<Record<string, unknown>>;

export interface Acting {
  readonly as?: Role;
  readonly signal?: AbortSignal;
}

export interface Asking extends Acting {
  readonly signal: AbortSignal;
  /** Kinds of error, as in GitHub's `errors[].type`, that leave a `null` instead of rejecting. */
  readonly tolerates?: readonly string[];
}

export interface PartialAnswer<T> {
  readonly data: T;
  readonly refusals: readonly Refusal[];
}

/** One error of an answer that concerns only a part of it. */
export interface Refusal {
  /** Where in the answer, such as `['a3']` or `['nodes', 7, 'parent']`. */
  readonly path: readonly (string | number)[];
  readonly code: FaultCode;
  /** GitHub's own words, fit to be shown. */
  readonly message: string;
}

export interface RestAnswer<T> {
  /** `undefined` where nothing has changed since the `etag`. */
  readonly data: T | undefined;
  readonly etag?: string;
  /** The next page, from the `link` header. */
  readonly next?: string;
}
