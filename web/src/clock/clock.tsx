/** One clock for the whole page: a thousand ages on it cost one timer, and only those whose words change are drawn again. */
import { createContext, type ReactNode, useContext, useEffect, useState, useSyncExternalStore } from 'react';

/** Ages below a minute are shown in seconds. */
const TICK_MS = 1_000;

interface Clock {
  subscribe(listener: () => void): () => void;
}

const ClockContext = createContext<Clock>({ subscribe: () => () => {} });

/** What `say` makes of the present moment; drawn again when that changes. `say` must give a primitive. */
export function useNow<T extends string | number | boolean>(say: (now: number) => T): T {
  const { subscribe } = useContext(ClockContext);
  return useSyncExternalStore(subscribe, () => say(Date.now()));
}

export function ClockProvider({ children }: { readonly children: ReactNode }) {
  const [listeners] = useState(() => new Set<() => void>());
  const [clock] = useState<Clock>(() => ({
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
