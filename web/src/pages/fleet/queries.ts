/** What the fleet page asks for beside health and workers. */
import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { call, request } from '../../api/request.ts';
import { RANGES, type Range } from './range.ts';

/** Parts of an hour or a day are counted: one event moves no bar that anybody would see, and each answer is counted anew. */
const FIGURES_EVERY_MS = 10_000;

/**
 * Not one of the words that events make old: the time they are counted in moves on by itself, so the clock asks for them.
 * Whoever opens the page, comes back to its window or looks at another range asks at once.
 */
export function figuresQuery(range: Range) {
  return queryOptions({
    queryKey: ['timed', 'figures', range],
    queryFn: ({ signal }) =>
      request(call('GET /figures', { query: { back: `${RANGES[range].ms}` } }), FIGURES_FIELDS, { signal }),
    staleTime: 0,
    refetchInterval: FIGURES_EVERY_MS,
    refetchOnWindowFocus: true,
    // The charts of the last range stay until those of the next are there.
    placeholderData: keepPreviousData,
  });
}

const FIGURES_FIELDS = ['throughput', 'leadTimes', 'phases', 'kills'] as const;

/** The verdict is made when it is asked for: only of workers somebody looks at. */
export function workerStatusQuery(id: string) {
  return queryOptions({
    queryKey: ['worker', id, 'status'],
    queryFn: ({ signal }) =>
      request(call('GET /workers/:id/status', { params: { id } }), ['health', 'spending'], {
        signal,
      }),
  });
}
