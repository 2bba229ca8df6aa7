/**
 * One clock for the whole page. All ages share one timer, even a thousand of them, and only those
 * whose text changes are rendered again.
 */
import { createContext, type ReactNode, useContext, useEffect, useState, useSyncExternalStore } from 'react';

/** The clock ticks every second, because ages below a minute are shown in seconds. */
const TICK_MS = 1_000;

interface PageClock {
  subscribe(listener: () => void): () => void;
}

const ClockContext = createContext<PageClock>({ subscribe: () => () => {} });

/**
 * Returns `compute(now)` and renders again when the result changes. `compute` must return a
 * primitive.
 */
export function useNow<T extends string | number | boolean>(compute: (now: number) => T): T {
  const { subscribe } = useContext(ClockContext);
  return useSyncExternalStore(subscribe, () => compute(Date.now()));
}

export function ClockProvider({ children }: { readonly children: ReactNode }) {
  const [listeners] = useState(() => new Set<() => void>());
  const [clock] = useState<PageClock>(() => ({
    subscribe(listener) {
      listeners.add(listener);
      return () => {
        listeners.delete(listener);
      };
    },
  }));
  useEffect(() => {
    const timer = setInterval(() => {
      for (const listener of listeners) listener();
    }, TICK_MS);
    return () => clearInterval(timer);
  }, [listeners]);
  return <ClockContext value={clock}>{children}</ClockContext>;
}
