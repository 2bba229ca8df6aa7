/** Tells listeners that there may be news about a branch, and lets none of them disturb the forge or each other. */

export interface Hints {
  subscribe(listener: (branch: string) => void): () => void;
  give(branch: string): void;
  silence(): void;
}

export function hints(): Hints {
  const subscriptions = new Set<{ readonly listener: (branch: string) => void }>();
  return {
    subscribe(listener) {
      const subscription = { listener };
      subscriptions.add(subscription);
      return () => void subscriptions.delete(subscription);
    },
    give(branch) {
      for (const subscription of subscriptions) {
        // A promise also catches a listener that is asynchronous after all and rejects.
        Promise.resolve()
          .then(() => (subscriptions.has(subscription) ? subscription.listener(branch) : undefined))
          .catch(() => {});
      }
    },
    silence: () => subscriptions.clear(),
  };
}
