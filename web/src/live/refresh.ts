/** Asks again for what events have made old, each thing at most once a second however many events there are. */
import type { QueryClient, QueryKey } from '@tanstack/react-query';

/** Nobody reads faster; two hundred workers write many events a second. */
const AT_MOST_EVERY_MS = 1_000;

export interface Refresher {
  mark(key: QueryKey): void;
  everything(): void;
  end(): void;
}

export function refresher(client: QueryClient): Refresher {
  /** By key: when it may be asked for again, and whether something waits for that. */
  const timers = new Map<string, { timer: ReturnType<typeof setTimeout>; isWanted: boolean }>();

  function ask(name: string, key: QueryKey): void {
    void client.invalidateQueries({ queryKey: key });
    const timer = setTimeout(() => {
      const isWanted = timers.get(name)?.isWanted ?? false;
      timers.delete(name);
      if (isWanted) ask(name, key);
    }, AT_MOST_EVERY_MS);
    timers.set(name, { timer, isWanted: false });
  }

  return {
    mark(key) {
      const name = JSON.stringify(key);
      const pending = timers.get(name);
      if (pending === undefined) ask(name, key);
      else pending.isWanted = true;
    },
    everything() {
      // The past does not change, and asking for it again would only make the slider wait.
      void client.invalidateQueries({ predicate: ({ queryKey }) => queryKey[0] !== 'past' });
    },
    end() {
      for (const { timer } of timers.values()) clearTimeout(timer);
      timers.clear();
    },
  };
}
