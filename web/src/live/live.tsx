/** Keeps every page current from one stream of events, and knows whether that stream is there. */
import type { QueryClient, QueryKey } from '@tanstack/react-query';
import { useQueryClient } from '@tanstack/react-query';
import { createContext, type ReactNode, useContext, useEffect, useRef, useState } from 'react';
import { inboxQuery, sessionQuery } from '../api/queries.ts';
import { shareStream } from './share-stream.ts';
import type { SentEvent } from './sse.ts';
import { concerns } from './stale-keys.ts';

/** `away` is said only after this, so that a restart that takes a second does not frighten anybody. */
const SAID_AFTER_MS = 2_000;
/** A hidden page hears no events; its title still shows how much waits for a person. */
const HIDDEN_REFRESH_MS = 60_000;

export type Connection = 'connecting' | 'live' | 'away';

interface Live {
  readonly connection: Connection;
  /** Calls for each event as it comes; returns what stops that. */
  subscribe(listener: (event: SentEvent) => void): () => void;
}

const LiveContext = createContext<Live>({ connection: 'connecting', subscribe: () => () => {} });

export function useConnection(): Connection {
  return useContext(LiveContext).connection;
}

/** For pages that show events themselves, such as a transcript; everything else is refetched without it. */
export function useEvents(listener: (event: SentEvent) => void): void {
  const { subscribe } = useContext(LiveContext);
  const latest = useRef(listener);
  useEffect(() => {
    latest.current = listener;
  });
  useEffect(() => subscribe((event) => latest.current(event)), [subscribe]);
}

export function LiveProvider({ children }: { readonly children: ReactNode }) {
  const client = useQueryClient();
  const [connection, setConnection] = useState<Connection>('connecting');
  const [listeners] = useState(() => new Set<(event: SentEvent) => void>());
  const [subscribe] = useState(() => (listener: (event: SentEvent) => void) => {
    listeners.add(listener);
    return () => {
      listeners.delete(listener);
    };
  });

  useEffect(() => {
    const refresh = refresher(client);
    let saying: ReturnType<typeof setTimeout> | undefined;
    const stream = shareStream({
      onConnected(isFresh) {
        clearTimeout(saying);
        saying = undefined;
        setConnection('live');
        if (isFresh) refresh.everything();
        // What failed while the daemon was away waits for a long pause; it is worth another try now.
        else void client.refetchQueries({ predicate: ({ state }) => state.fetchFailureCount > 0 });
      },
      onEvent(event) {
        for (const key of concerns(event)) refresh.mark(key);
        for (const listener of listeners) listener(event);
      },
      onAway() {
        saying ??= setTimeout(() => setConnection('away'), SAID_AFTER_MS);
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
      clearTimeout(saying);
      stream.end();
      refresh.end();
    };
  }, [client, listeners]);

  return <LiveContext value={{ connection, subscribe }}>{children}</LiveContext>;
}

/** Nobody reads faster; two hundred workers write many events a second. */
const AT_MOST_EVERY_MS = 1_000;

interface Refresher {
  mark(key: QueryKey): void;
  everything(): void;
  end(): void;
}

function refresher(client: QueryClient): Refresher {
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
