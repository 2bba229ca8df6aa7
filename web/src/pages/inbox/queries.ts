/** Queries that settling an inbox item makes stale. */
import { boardQuery, healthQuery, inboxQuery } from '../../api/queries.ts';
import type { StaleQueries } from '../../api/use-action-mutation.ts';

/**
 * Awaits the inbox, so that an action stays pending until the refetched list no longer contains its
 * item.
 */
export const INBOX_STALE_QUERIES: StaleQueries = {
  keys: [boardQuery.queryKey, healthQuery.queryKey],
  awaited: inboxQuery.queryKey,
};
