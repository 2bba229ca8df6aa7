/**
 * Queries that several pages use. Events invalidate queries by key: the first word of a key is the
 * subject of the data, and `live/stale-keys.ts` uses the same words. The key of a query about one
 * issue is `['issue', ID, part]`. The key of data that never changes, such as a past moment, is
 * `['past', …]`.
 */
import { queryOptions } from '@tanstack/react-query';
import { createCall, sendRequest } from './request.ts';

export const sessionQuery = queryOptions({
  queryKey: ['session'],
  queryFn: ({ signal }) =>
    sendRequest(createCall('GET /session'), ['legion', 'ownBoard', 'statuses'], { signal }),
});

export const boardQuery = queryOptions({
  queryKey: ['board'],
  queryFn: ({ signal }) => sendRequest(createCall('GET /board'), BOARD_FIELDS, { signal }),
});

/**
 * The board, including issues that were finished more than a week ago. On a long-lived board most
 * issues are that old, so they are loaded only on demand.
 */
export const wholeBoardQuery = queryOptions({
  queryKey: ['board', 'whole'],
  queryFn: ({ signal }) =>
    sendRequest(createCall('GET /board', { query: { finished: 'all' } }), BOARD_FIELDS, { signal }),
});

/** A past moment, specified by its time or by its journal version. */
export type BoardMoment = { readonly at: number } | { readonly version: number };

export function createPastBoardQuery(moment: BoardMoment) {
  const query = 'at' in moment ? { at: `${moment.at}` } : { version: `${moment.version}` };
  return queryOptions({
    queryKey: ['past', 'board', query],
    queryFn: ({ signal }) => sendRequest(createCall('GET /board', { query }), BOARD_FIELDS, { signal }),
    // The past never changes.
    staleTime: Number.POSITIVE_INFINITY,
  });
}

export const spanQuery = queryOptions({
  queryKey: ['span'],
  queryFn: ({ signal }) =>
    sendRequest(createCall('GET /journal/span'), ['first', 'last', 'parts'], { signal }),
});

export const healthQuery = queryOptions({
  queryKey: ['health'],
  queryFn: ({ signal }) =>
    sendRequest(createCall('GET /health'), ['ok', 'legion', 'workers', 'starts', 'troubles'], { signal }),
});

export const inboxQuery = queryOptions({
  queryKey: ['inbox'],
  queryFn: ({ signal }) => sendRequest(createCall('GET /inbox'), 'list', { signal }),
});

export const workersQuery = queryOptions({
  queryKey: ['workers'],
  queryFn: ({ signal }) => sendRequest(createCall('GET /workers'), 'list', { signal }),
});

const BOARD_FIELDS = ['at', 'version', 'isPresent', 'cards', 'omitted'] as const;
