/** The port to Linear's API for the tracker, the daemon and the CLI. */
import type { ApiBudget } from '../../../core/model/api-budget.ts';

/**
 * Contract:
 *
 * - **One call is one request.** The client never retries, splits or delays: callers know whether a
 *   second attempt is safe, and the rate limit counts requests per user. Writes of one client are
 *   sent one at a time.
 * - **A response is complete or an error.** If a response has `errors`, the call rejects, even if
 *   the response also has data.
 * - **A rejected write may have happened** if it rejected with `linear.unavailable`: the response
 *   was late, lost or partial. Every other fault means that Linear refused and wrote nothing.
 * - **Every failure is a coded `LegionError`**: `linear.unavailable` (network, 5xx, timeout, lock
 *   timeout; retryable), `linear.rate_limited` (retryable, with `retryAt`), `linear.unauthorized`,
 *   `linear.forbidden`, `linear.missing`, `linear.refused`. An aborted call rejects with the
 *   signal's reason.
 * - **Messages never contain a secret.**
 */
export interface LinearClient {
  /** Runs a GraphQL query with one named operation. */
  query<T>(document: string, variables: LinearVariables, how: { readonly signal: AbortSignal }): Promise<T>;
  /** Runs one or more GraphQL mutations of one document, which Linear executes in order. */
  mutate<T>(
    document: string,
    variables: LinearVariables,
    how?: { readonly signal?: AbortSignal },
  ): Promise<T>;

  /** Returns the account Legion acts as. Read once. */
  viewer(): Promise<LinearViewer>;
  /**
   * Returns the budget of requests or of complexity, whichever is closer to its limit, as of the
   * last response. Undefined before the first response.
   */
  budget(): ApiBudget | undefined;
  close(): Promise<void>;
}

export type LinearVariables = Readonly<Record<string, unknown>>;

export interface LinearViewer {
  /** UUID of the user. An OAuth app that acts for itself also has a user. */
  readonly id: string;
  readonly name: string;
  readonly email: string;
  /** The workspace the credential belongs to. */
  readonly workspace: { readonly name: string; readonly urlKey: string };
}
