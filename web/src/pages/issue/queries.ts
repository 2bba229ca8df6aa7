/** Queries of the issue page. */

import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import { boardQuery, inboxQuery } from '../../api/queries.ts';
import { createCall, sendRequest } from '../../api/request.ts';
import type { StaleQueries } from '../../api/use-action-mutation.ts';
import { EXTERNAL } from './refresh-on-events.ts';

/** Returns the queries that an action on an issue makes stale. */
export function toStaleIssueQueries(id: string): StaleQueries {
  return { keys: [['issue', id], [EXTERNAL, id], boardQuery.queryKey, inboxQuery.queryKey] };
}

export function createDetailQuery(id: string) {
  return queryOptions({
    queryKey: [EXTERNAL, id, 'detail'],
    queryFn: ({ signal }) =>
      sendRequest(
        createCall('GET /issues/:id', { params: { id } }),
        ['issue', 'comments', 'pullRequest', 'workers'],
        {
          signal,
        },
      ),
  });
}

export function explainQuery(id: string) {
  return queryOptions({
    queryKey: [EXTERNAL, id, 'explain'],
    queryFn: ({ signal }) =>
      sendRequest(
        createCall('GET /issues/:id/explain', { params: { id } }),
        ['state', 'workers', 'openQuestions', 'spent'],
        {
          signal,
        },
      ),
  });
}

export function createGatesQuery(id: string) {
  return queryOptions({
    queryKey: [EXTERNAL, id, 'gates'],
    queryFn: ({ signal }) =>
      sendRequest(
        createCall('GET /issues/:id/gates', { params: { id } }),
        ['headSha', 'preMerge', 'autoMerge', 'verdict'],
        {
          signal,
        },
      ),
  });
}

export function createDiffQuery(id: string) {
  return queryOptions({
    queryKey: [EXTERNAL, id, 'diff'],
    queryFn: ({ signal }) =>
      sendRequest(createCall('GET /issues/:id/diff', { params: { id } }), ['of', 'says', 'files'], {
        signal,
      }),
  });
}

export function createHandoffsQuery(id: string) {
  return queryOptions({
    queryKey: ['issue', id, 'handoffs'],
    queryFn: ({ signal }) =>
      sendRequest(createCall('GET /issues/:id/handoffs', { params: { id } }), ['handoffs'], { signal }),
  });
}

export function createAttemptsQuery(id: string) {
  return queryOptions({
    queryKey: ['issue', id, 'attempts'],
    queryFn: ({ signal }) =>
      sendRequest(createCall('GET /issues/:id/attempts', { params: { id } }), 'list', { signal }),
  });
}

/**
 * Pages go back in time: each page ends right before the first entry of the previously loaded page.
 * Refetching loads the pages in the same order, so that no entry is skipped.
 */
export function createStoryQuery(id: string) {
  return infiniteQueryOptions({
    queryKey: ['issue', id, 'story'],
    initialPageParam: 0,
    queryFn: ({ pageParam, signal }) => {
      const before = pageParam === 0 ? undefined : `${pageParam}`;
      const call = createCall('GET /issues/:id/story', { params: { id }, query: { before } });
      return sendRequest(call, ['entries', 'more'], { signal });
    },
    getNextPageParam: ({ entries, more }) => (more ? entries[0]?.version : undefined),
  });
}
