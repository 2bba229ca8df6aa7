/** The event stream's state and events, which `LiveProvider` provides to every page. */
import { createContext, useContext, useEffect, useRef } from 'react';
import type { SentEvent } from './sse.ts';

export type ConnectionState = 'connecting' | 'live' | 'away';

interface LiveEvents {
  readonly connection: ConnectionState;
  /** Calls the listener for each event. Returns a function that unsubscribes. */
  subscribe(listener: (event: SentEvent) => void): () => void;
}

export const LiveContext = createContext<LiveEvents>({ connection: 'connecting', subscribe: () => () => {} });

export function useConnection(): ConnectionState {
  return useContext(LiveContext).connection;
}

/**
 * Calls the listener for each event. Meant for pages that show the events, such as a transcript.
 * All other data is refetched automatically.
 */
export function useEvents(listener: (event: SentEvent) => void): void {
  const { subscribe } = useContext(LiveContext);
  const latest = useRef(listener);
  useEffect(() => {
    latest.current = listener;
  });
  useEffect(() => subscribe((event) => latest.current(event)), [subscribe]);
}
