/** Notifies listeners without letting them affect the source or each other. */

export interface Emitter<T> {
  subscribe(listener: (value: T) => void): () => void;
  /** Returns at once. Each listener runs in its own microtask. */
  emit(value: T): void;
  /** Stops all further calls to listeners. */
  close(): void;
}

export function createEmitter<T = void>(): Emitter<T> {
  // One entry per subscription: if the same function is subscribed twice, it must also be
  // unsubscribed twice.
  const subscriptions = new Set<{ readonly listener: (value: T) => void }>();
  return {
    subscribe(listener) {
      const subscription = { listener };
      subscriptions.add(subscription);
      return () => void subscriptions.delete(subscription);
    },
    emit(value) {
      for (const subscription of subscriptions) {
        // The promise also catches rejections of asynchronous listeners.
        Promise.resolve()
          .then(() => (subscriptions.has(subscription) ? subscription.listener(value) : undefined))
          .catch(() => {});
      }
    },
    close: () => subscriptions.clear(),
  };
}
