/** The port for webhook services: takes deliveries and emits wake-ups and notices. */

/** A delivery as received: unverified, with an unread body. */
export interface WebhookDelivery {
  /** Returns a header by its lower-case name. */
  header(name: string): string | undefined;
  /**
   * Returns the exact bytes that were sent, because the signature covers them. Rejects with a fault
   * code if the body is too large or arrives too late.
   */
  body(): Promise<Uint8Array>;
}

/**
 * A hint about what to read again. It may be wrong, late, duplicated or lost, so its receiver reads
 * the tracker and the forge before acting.
 *
 * - `issue`: an issue or a pull request, which share GitHub's numbers.
 * - `branch`: a branch whose head or pull request has changed.
 * - `commit`: a commit whose checks have changed. `branches` and `pullRequests` are those that the
 *   service listed, possibly none.
 * - `projectItem`: a board item, by GitHub's ids of item and board. `content` is the id of its
 *   issue if known.
 * - `tracked`: an issue by its tracker's id, such as a Linear UUID.
 * - `everything`: too much has changed, or the affected issue is unknown.
 */
export type WakeUp =
  | { readonly issue: WebhookRepository & { readonly number: number } }
  | { readonly branch: WebhookRepository & { readonly branch: string } }
  | { readonly commit: CommitHint }
  | { readonly projectItem: string; readonly project: string; readonly content?: string }
  | { readonly tracked: string }
  | 'everything';

export interface WebhookRepository {
  readonly owner: string;
  readonly repo: string;
}

interface CommitHint extends WebhookRepository {
  readonly sha: string;
  readonly branches: readonly string[];
  readonly pullRequests: readonly number[];
}

/**
 * Contract:
 *
 * - `receive` rejects with `webhook.no_secret` before reading the body, and with `webhook.unsigned`
 *   before using any of it.
 * - It resolves once the delivery is stored; processing happens later. `accepted` is false for a
 *   duplicate and for an irrelevant event.
 * - A delivery that was stored but not processed before the process exited is not processed again,
 *   because a daemon reads everything when it starts.
 */
export interface WebhookReceiver {
  receive(delivery: WebhookDelivery): Promise<{ readonly accepted: boolean }>;
  /** Stops all timers and drops unprocessed deliveries. */
  close(): Promise<void>;
}
