/** What the page of an issue asks for. */
import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import { call, request } from '../../api/request.ts';

/** For these the daemon reads the tracker, the forge or the disk: `keep-current.ts` says how often they are asked again. */
export const FAR = 'far';

export function detailQuery(id: string) {
  return queryOptions({
    queryKey: [FAR, id, 'detail'],
    queryFn: ({ signal }) =>
      request(call('GET /issues/:id', { params: { id } }), ['issue', 'comments', 'pullRequest', 'workers'], {
        signal,
      }),
  });
}

export function explainQuery(id: string) {
  return queryOptions({
    queryKey: [FAR, id, 'explain'],
    queryFn: ({ signal }) =>
      request(
        call('GET /issues/:id/explain', { params: { id } }),
        ['state', 'workers', 'openQuestions', 'spent'],
        {
          signal,
        },
      ),
  });
}

export function gatesQuery(id: string) {
  return queryOptions({
    queryKey: [FAR, id, 'gates'],
    queryFn: ({ signal }) =>
      request(
        call('GET /issues/:id/gates', { params: { id } }),
        ['headSha', 'preMerge', 'autoMerge', 'verdict'],
        {
          signal,
        },
      ),
  });
}

export function diffQuery(id: string) {
  return queryOptions({
    queryKey: [FAR, id, 'diff'],
    queryFn: ({ signal }) =>
      request(call('GET /issues/:id/diff', { params: { id } }), ['of', 'says', 'files'], { signal }),
  });
}

export function handoffsQuery(id: string) {
  return queryOptions({
    queryKey: ['issue', id, 'handoffs'],
    queryFn: ({ signal }) =>
      request(call('GET /issues/:id/handoffs', { params: { id } }), ['handoffs'], { signal }),
  });
}

export function attemptsQuery(id: string) {
  return queryOptions({
    queryKey: ['issue', id, 'attempts'],
    queryFn: ({ signal }) =>
      request(call('GET /issues/:id/attempts', { params: { id } }), 'list', { signal }),
  });
}

/** Pages go back in time, each from the first of the one before it; when asked again, too, so that nothing falls between them. */
export function storyQuery(id: string) {
  return infiniteQueryOptions({
    queryKey: ['issue', id, 'story'],
    initialPageParam: 0,
    queryFn: ({ pageParam, signal }) => {
      const before = pageParam === 0 ? undefined : `${pageParam}`;
      const story = call('GET /issues/:id/story', { params: { id }, query: { before } });
      return request(story, ['entries', 'more'], { signal });
    },
    getNextPageParam: ({ entries, more }) => (more ? entries[0]?.version : undefined),
  });
}
