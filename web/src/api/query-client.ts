/** How questions to the daemon are kept, asked again and given up. */
import { QueryCache, QueryClient } from '@tanstack/react-query';
import { ApiError, isSignedOut } from './api-error.ts';
import { sessionQuery } from './queries.ts';

/** 0.5, 1, 2, 4, 8, 10, 10 … s: a daemon restarts in about a second, and one that stays away costs little. */
const RETRY_FIRST_MS = 500;
const RETRY_MOST_MS = 10_000;
/** What was seen stays for a quick return to a page. */
const KEPT_MS = 5 * 60_000;

export function openQueryClient(): QueryClient {
  const client: QueryClient = new QueryClient({
    queryCache: new QueryCache({
      onError(error, query) {
        // One refused answer is enough: the session is looked at anew, and its page says what to do.
        if (isSignedOut(error) && query.queryKey[0] !== 'session')
          void client.invalidateQueries({ queryKey: sessionQuery.queryKey });
      },
    }),
    defaultOptions: {
      queries: {
        // Events make answers old; time alone does not.
        staleTime: Number.POSITIVE_INFINITY,
        gcTime: KEPT_MS,
        refetchOnWindowFocus: false,
        refetchOnReconnect: false,
        // Loopback works without a network.
        networkMode: 'always',
        retry: (_count, error) => isWorthAnother(error),
        retryDelay: (count) => Math.min(RETRY_FIRST_MS * 2 ** count, RETRY_MOST_MS),
      },
      mutations: { networkMode: 'always', retry: false },
    },
  });
  return client;
}

/** No answer, or the daemon's own trouble, may be over in a moment; a refusal will be the same again. */
function isWorthAnother(error: Error): boolean {
  if (!(error instanceof ApiError)) return false;
  return error.code === 'page.unreachable' || error.status === 503;
}
