/** Configures caching, retries and error handling of queries to the daemon. */
import { QueryCache, QueryClient } from '@tanstack/react-query';
import { ApiError, isSignedOut } from './api-error.ts';
import { sessionQuery } from './queries.ts';

/**
 * Retry delays are 0.5, 1, 2, 4, 8, 10, 10 … s: a daemon restarts in about a second, and polling an
 * unreachable one costs little.
 */
const INITIAL_RETRY_MS = 500;
const MAX_RETRY_MS = 10_000;
/** Time for which unused data stays cached, so that returning to a page is fast. */
const KEPT_MS = 5 * 60_000;

export function openQueryClient(): QueryClient {
  const client: QueryClient = new QueryClient({
    queryCache: new QueryCache({
      onError(error, query) {
        // Rechecks the session as soon as one request is refused. If the session has ended, the
        // page then explains what to do.
        if (isSignedOut(error) && query.queryKey[0] !== 'session')
          void client.invalidateQueries({ queryKey: sessionQuery.queryKey });
      },
    }),
    defaultOptions: {
      queries: {
        // Data becomes stale only through events, never through the passage of time.
        staleTime: Number.POSITIVE_INFINITY,
        gcTime: KEPT_MS,
        refetchOnWindowFocus: false,
        refetchOnReconnect: false,
        // Sends requests even if the browser is offline, because loopback works without a network.
        networkMode: 'always',
        retry: (_count, error) => shouldRetry(error),
        retryDelay: (count) => Math.min(INITIAL_RETRY_MS * 2 ** count, MAX_RETRY_MS),
      },
      mutations: { networkMode: 'always', retry: false },
    },
  });
  return client;
}

/**
 * Returns true if the daemon did not respond or responded with 503, because both may be temporary.
 * Any other error would only recur.
 */
function shouldRetry(error: Error): boolean {
  if (!(error instanceof ApiError)) return false;
  return error.code === 'page.unreachable' || error.status === 503;
}
