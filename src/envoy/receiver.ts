/** The port to services that report what has happened there: a delivery comes in, wake-ups and notices go out. */

/** A delivery as it came in; nothing of it is checked, and its body is not even read. */
export interface Delivery {
  /** By its name in lower case. */
  header(name: string): string | undefined;
  /** The very bytes that were sent, because those are what is signed; rejects with a code where they are too many or too late. */
  body(): Promise<Uint8Array>;
}

/**
 * What may be worth looking at. Only a hint: it may be wrong, late, doubled or lost, and whoever gets it reads the tracker and
 * the forge before anything is done.
 *
 * - `issue`: an issue or a pull request, which GitHub numbers in one row.
 * - `branch`: what is at it, or the pull request from it, has changed.
 * - `commit`: its checks have. `branches` and `pullRequests` are those the service named, which may be none.
 * - `projectItem`: an item of a board, by GitHub's ids of item and board; `content` is the id of what it shows, if told.
 * - `tracked`: an issue by the id its tracker gives it, such as a UUID of Linear.
 * - `everything`: too much has changed, or it cannot be said what.
 */
export type WakeUp =
  | { readonly issue: RepositoryName & { readonly number: number } }
  | { readonly branch: RepositoryName & { readonly branch: string } }
  | { readonly commit: CommitHint }
  | { readonly projectItem: string; readonly project: string; readonly content?: string }
  | { readonly tracked: string }
  | 'everything';

export interface RepositoryName {
  readonly owner: string;
  readonly repo: string;
}

interface CommitHint extends RepositoryName {
  readonly sha: string;
  readonly branches: readonly string[];
  readonly pullRequests: readonly number[];
}

/**
 * Contract:
 *
 * - `receive` refuses with `webhook.no_secret` before it reads the body, with `webhook.unsigned` before it believes any of it.
 * - It resolves as soon as the delivery is written down; what follows from it happens later. `accepted` is false for one
 *   that came before, and for an event nobody here cares about.
 * - What was written down and not handled before the process ended is not handled again: a daemon looks at everything when
 *   it starts.
 */
export interface Receiver {
  receive(delivery: Delivery): Promise<{ readonly accepted: boolean }>;
  /** Leaves no timer behind, and forgets what is not handled yet. */
  close(): Promise<void>;
}
