/** Tells listeners that there may be more to read, and lets none of them disturb the writer or each other. */

export interface Hints {
  subscribe(listener: () => void): () => void;
  /** Returns at once; the listeners are called in a microtask of their own. */
  give(): void;
  /** No listener is called from now on. */
  silence(): void;
}

export function hints(): Hints {
  // One entry a subscription, not a function: the same function subscribed twice is stopped once at a time.
  const subscriptions = new Set<{ readonly listener: () => void }>();
  return {
    subscribe(listener) {
      const subscription = { listener };
      subscriptions.add(subscription);
      return () => void subscriptions.delete(subscription);
    },
    give() {
      for (const subscription of subscriptions) {
        // A promise also catches a listener that is asynchronous after all and rejects.
        Promise.resolve()
          .then(() => (subscriptions.has(subscription) ? subscription.listener() : undefined))
          .catch(() => {});
      }
    },
    silence: () => subscriptions.clear(),
  };
}
