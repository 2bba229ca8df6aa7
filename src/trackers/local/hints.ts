/** Tells listeners which issue may have changed, and lets none of them disturb the writer or each other. */
import type { IssueId } from '../../domain/ids.ts';

type Listener = (issue: IssueId) => void;

export interface Hints {
  subscribe(listener: Listener): () => void;
  /** Returns at once; the listeners are called in a microtask of their own. */
  give(issue: IssueId): void;
  /** No listener is called from now on. */
  silence(): void;
}

export function hints(): Hints {
  // One entry a subscription, not a function: the same function subscribed twice is stopped once at a time.
  const subscriptions = new Set<{ readonly listener: Listener }>();
  return {
    subscribe(listener) {
      const subscription = { listener };
      subscriptions.add(subscription);
      return () => void subscriptions.delete(subscription);
    },
    give(issue) {
      for (const subscription of subscriptions) {
        // A promise also catches a listener that is asynchronous after all and rejects.
        Promise.resolve()
          .then(() => (subscriptions.has(subscription) ? subscription.listener(issue) : undefined))
          .catch(() => {});
      }
    },
    silence: () => subscriptions.clear(),
  };
}
