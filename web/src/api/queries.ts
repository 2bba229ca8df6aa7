/** What the pages ask for, each under the key by which an event makes it old. */
import { queryOptions } from '@tanstack/react-query';
import { call, request } from './request.ts';

/**
 * The first word of a key says what it is about: `live/concerns.ts` names the same words. Whatever is about one issue is
 * `['issue', ID, part]`; whatever can never change, such as a moment of the past, is `['past', …]`.
 */
export const sessionQuery = queryOptions({
  queryKey: ['session'],
  queryFn: ({ signal }) => request(call('GET /session'), ['legion', 'ownBoard', 'statuses'], { signal }),
});

export const boardQuery = queryOptions({
  queryKey: ['board'],
  queryFn: ({ signal }) => request(call('GET /board'), BOARD_FIELDS, { signal }),
});

/** With issues that have been over for more than a week: most of a long-lived board, so it is asked for only when wanted. */
export const wholeBoardQuery = queryOptions({
  queryKey: ['board', 'whole'],
  queryFn: ({ signal }) =>
    request(call('GET /board', { query: { finished: 'all' } }), BOARD_FIELDS, { signal }),
});

/** A moment of the past: by time, or by the journal's version. */
export type Moment = { readonly at: number } | { readonly version: number };

export function pastBoardQuery(moment: Moment) {
  const query = 'at' in moment ? { at: `${moment.at}` } : { version: `${moment.version}` };
  return queryOptions({
    queryKey: ['past', 'board', query],
    queryFn: ({ signal }) => request(call('GET /board', { query }), BOARD_FIELDS, { signal }),
    // What was, stays.
    staleTime: Number.POSITIVE_INFINITY,
  });
}

export const spanQuery = queryOptions({
  queryKey: ['span'],
  queryFn: ({ signal }) => request(call('GET /journal/span'), ['first', 'last', 'parts'], { signal }),
});

export const healthQuery = queryOptions({
  queryKey: ['health'],
  queryFn: ({ signal }) =>
    request(call('GET /health'), ['ok', 'legion', 'workers', 'starts', 'troubles'], { signal }),
});

export const inboxQuery = queryOptions({
  queryKey: ['inbox'],
  queryFn: ({ signal }) => request(call('GET /inbox'), 'list', { signal }),
});

export const workersQuery = queryOptions({
  queryKey: ['workers'],
  queryFn: ({ signal }) => request(call('GET /workers'), 'list', { signal }),
});

const BOARD_FIELDS = ['at', 'version', 'isPresent', 'cards', 'omitted'] as const;
