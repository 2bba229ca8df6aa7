/** Keeps every page current from one event stream, and tracks whether that stream is connected. */
import { type QueryClient, type QueryKey, useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useEffect, useState } from 'react';
import { inboxQuery, sessionQuery } from '../api/queries.ts';
import { type ConnectionState, LiveContext } from './live-events.ts';
import { openSharedStream } from './share-stream.ts';
import type { SentEvent } from './sse.ts';
import { listStaleKeys } from './stale-keys.ts';

/**
 * Delay before a lost connection is shown as `away`, so that a restart of one second causes no
 * warning.
 */
const AWAY_AFTER_MS = 2_000;
/**
 * Refetch interval of a hidden page. A hidden page receives no events, but its title still shows
 * how many items need a person.
 */
const HIDDEN_REFRESH_MS = 60_000;

export function LiveProvider({ children }: { readonly children: ReactNode }) {
  const client = useQueryClient();
  const [connection, setConnection] = useState<ConnectionState>('connecting');
  const [listeners] = useState(() => new Set<(event: SentEvent) => void>());
  const [subscribe] = useState(() => (listener: (event: SentEvent) => void) => {
    listeners.add(listener);
    return () => {
      listeners.delete(listener);
    };
  });

  useEffect(() => {
    const refresh = createQueryRefresher(client);
    let awayTimer: ReturnType<typeof setTimeout> | undefined;
    const stream = openSharedStream({
      onConnected(isFresh) {
        clearTimeout(awayTimer);
        awayTimer = undefined;
        setConnection('live');
        if (isFresh) refresh.everything();
        // Retries queries that failed while the daemon was unreachable, because their own backoff
        // may be long by now.
        else void client.refetchQueries({ predicate: ({ state }) => state.fetchFailureCount > 0 });
      },
      onEvent(event) {
        for (const key of listStaleKeys(event)) refresh.mark(key);
        for (const listener of listeners) listener(event);
      },
      onAway() {
        awayTimer ??= setTimeout(() => setConnection('away'), AWAY_AFTER_MS);
      },
      onSignedOut() {
        void client.invalidateQueries({ queryKey: sessionQuery.queryKey });
      },
    });
    const wake = () => {
      if (document.visibilityState === 'visible') stream.wake();
    };
    const hiddenRefresh = setInterval(() => {
      if (document.visibilityState === 'hidden')
        void client.invalidateQueries({ queryKey: inboxQuery.queryKey });
    }, HIDDEN_REFRESH_MS);
    window.addEventListener('online', wake);
    window.addEventListener('focus', wake);
    return () => {
      clearInterval(hiddenRefresh);
      window.removeEventListener('online', wake);
      window.removeEventListener('focus', wake);
      clearTimeout(awayTimer);
      stream.end();
      refresh.end();
    };
  }, [client, listeners]);

  return <LiveContext value={{ connection, subscribe }}>{children}</LiveContext>;
}

/**
 * Minimum time between two refetches of a query. Two hundred workers write many events a second,
 * faster than people can read.
 */
const MIN_REFRESH_MS = 1_000;

interface QueryRefresher {
  mark(key: QueryKey): void;
  everything(): void;
  end(): void;
}

function createQueryRefresher(client: QueryClient): QueryRefresher {
  /**
   * For each key, the timer that runs until the key may be refetched again, and whether a refetch
   * is pending.
   */
  const timers = new Map<string, { timer: ReturnType<typeof setTimeout>; isWanted: boolean }>();

  function refetch(name: string, key: QueryKey): void {
    void client.invalidateQueries({ queryKey: key });
    const timer = setTimeout(() => {
      const isWanted = timers.get(name)?.isWanted ?? false;
      timers.delete(name);
      if (isWanted) refetch(name, key);
    }, MIN_REFRESH_MS);
    timers.set(name, { timer, isWanted: false });
  }

  return {
    mark(key) {
      const name = JSON.stringify(key);
      const pending = timers.get(name);
      if (pending === undefined) refetch(name, key);
      else pending.isWanted = true;
    },
    everything() {
      // Skips past moments. They never change, and refetching them would only delay the slider.
      void client.invalidateQueries({ predicate: ({ queryKey }) => queryKey[0] !== 'past' });
    },
    end() {
      for (const { timer } of timers.values()) clearTimeout(timer);
      timers.clear();
    },
  };
}
