/** What the page of an issue asks for. */
import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import type { Attempt, Diff, Story } from '../../../../src/protocol/dashboard.ts';
import type { Explanation, GatesView, HandoffsAnswer } from '../../../../src/protocol/operator.ts';
import { request } from '../../api/request.ts';
import type { IssueDetail } from './issue-detail.ts';

/** For these the daemon reads the tracker, the forge or the disk: `keep-current.ts` says how often they are asked again. */
export const FAR = 'far';

export function detailQuery(id: string) {
  return queryOptions({
    queryKey: [FAR, id, 'detail'],
    queryFn: ({ signal }) =>
      request<IssueDetail>('GET', at(id), ['issue', 'comments', 'pullRequest', 'workers'], { signal }),
  });
}

export function explainQuery(id: string) {
  return queryOptions({
    queryKey: [FAR, id, 'explain'],
    queryFn: ({ signal }) =>
      request<Explanation>('GET', at(id, '/explain'), ['state', 'workers', 'openQuestions', 'spent'], {
        signal,
      }),
  });
}

export function gatesQuery(id: string) {
  return queryOptions({
    queryKey: [FAR, id, 'gates'],
    queryFn: ({ signal }) =>
      request<GatesView>('GET', at(id, '/gates'), ['headSha', 'preMerge', 'autoMerge', 'verdict'], {
        signal,
      }),
  });
}

export function diffQuery(id: string) {
  return queryOptions({
    queryKey: [FAR, id, 'diff'],
    queryFn: ({ signal }) => request<Diff>('GET', at(id, '/diff'), ['of', 'says', 'files'], { signal }),
  });
}

export function handoffsQuery(id: string) {
  return queryOptions({
    queryKey: ['issue', id, 'handoffs'],
    queryFn: ({ signal }) => request<HandoffsAnswer>('GET', at(id, '/handoffs'), ['handoffs'], { signal }),
  });
}

export function attemptsQuery(id: string) {
  return queryOptions({
    queryKey: ['issue', id, 'attempts'],
    queryFn: ({ signal }) => request<readonly Attempt[]>('GET', at(id, '/attempts'), 'list', { signal }),
  });
}

/** Pages go back in time, each from the first of the one before it; when asked again, too, so that nothing falls between them. */
export function storyQuery(id: string) {
  return infiniteQueryOptions({
    queryKey: ['issue', id, 'story'],
    initialPageParam: 0,
    queryFn: ({ pageParam, signal }) => {
      const before = pageParam === 0 ? '' : `?before=${pageParam}`;
      return request<Story>('GET', at(id, `/story${before}`), ['entries', 'more'], { signal });
    },
    getNextPageParam: ({ entries, more }) => (more ? entries[0]?.version : undefined),
  });
}

/** The daemon's address of an issue, and of what belongs to it. */
export function at(id: string, part = ''): string {
  return `/issues/${encodeURIComponent(id)}${part}`;
}
