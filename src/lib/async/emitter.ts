/** Tells listeners that something may have changed, and lets none of them disturb the source or each other. */

export interface Emitter<T> {
  subscribe(listener: (value: T) => void): () => void;
  /** Returns at once; the listeners are called in a microtask of their own. */
  emit(value: T): void;
  /** No listener is called from now on. */
  close(): void;
}

export function createEmitter<T = void>(): Emitter<T> {
  // One entry per subscription: a function that subscribes twice must also unsubscribe twice.
  const subscriptions = new Set<{ readonly listener: (value: T) => void }>();
  return {
    subscribe(listener) {
      const subscription = { listener };
      subscriptions.add(subscription);
      return () => void subscriptions.delete(subscription);
    },
    emit(value) {
      for (const subscription of subscriptions) {
        // A promise also catches a listener that is asynchronous after all and rejects.
        Promise.resolve()
          .then(() => (subscriptions.has(subscription) ? subscription.listener(value) : undefined))
          .catch(() => {});
      }
    },
    close: () => subscriptions.clear(),
  };
}
