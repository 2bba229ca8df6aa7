/** The port to Linear's API that the tracker, the daemon and the command line ask through. */
import type { ApiBudget } from '../core/model/api-budget.ts';

/**
 * Contract:
 *
 * - **One call is one request.** Nothing is retried, split or slept on here: whoever calls knows whether a second time is safe,
 *   and requests are counted by their users. Writes of one client go out one after another.
 * - **An answer is whole or an error.** One with `errors` rejects, even where it has data beside them.
 * - **A rejected write may have happened**: no answer came back in time, or only half of one did. `linear.unavailable` is that;
 *   every other fault says that Linear has refused and done nothing.
 * - **Every failure is a coded `LegionError`**: `linear.unavailable` (network, 5xx, timeout, lock timeout; retryable),
 *   `linear.rate_limited` (retryable, with `retryAt`), `linear.unauthorized`, `linear.forbidden`, `linear.missing`,
 *   `linear.refused`. An aborted call rejects with the reason of its signal.
 * - **No secret is ever in a message.**
 */
export interface LinearClient {
  /** A GraphQL query: one whole, named operation. */
  query<T>(document: string, variables: Variables, how: { readonly signal: AbortSignal }): Promise<T>;
  /** A GraphQL mutation, or several of one document, which Linear performs in their order. */
  mutate<T>(document: string, variables: Variables, how?: { readonly signal?: AbortSignal }): Promise<T>;

  /** The account Legion acts as. Asked once. */
  viewer(): Promise<Viewer>;
  /** Whichever of requests and complexity runs out first, as of the last answer; undefined before the first. */
  budget(): ApiBudget | undefined;
  close(): Promise<void>;
}

export type Variables = Readonly<Record<string, unknown>>;

export interface Viewer {
  /** UUID of the user, which an OAuth app acting for itself has, too. */
  readonly id: string;
  readonly name: string;
  readonly email: string;
  /** The workspace the credential belongs to. */
  readonly workspace: { readonly name: string; readonly urlKey: string };
}
