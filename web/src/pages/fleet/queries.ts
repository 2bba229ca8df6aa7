/** Queries of the fleet page, in addition to health and workers. */
import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { createCall, sendRequest } from '../../api/request.ts';
import { type FigureRange, RANGES } from './range.ts';

/**
 * Poll interval. One event hardly changes a bar that covers an hour or a day, but every request
 * makes the daemon count everything again.
 */
const FIGURES_INTERVAL_MS = 10_000;

/**
 * Polls instead of being invalidated by events, because the time range advances even if no event
 * happens. Opening the page, returning to the window or choosing another range refetches at once.
 */
export function createFiguresQuery(range: FigureRange) {
  return queryOptions({
    queryKey: ['timed', 'figures', range],
    queryFn: ({ signal }) =>
      sendRequest(createCall('GET /figures', { query: { back: `${RANGES[range].ms}` } }), FIGURES_FIELDS, {
        signal,
      }),
    staleTime: 0,
    refetchInterval: FIGURES_INTERVAL_MS,
    refetchOnWindowFocus: true,
    // Keeps the previous range's charts until the next ones have loaded.
    placeholderData: keepPreviousData,
  });
}

const FIGURES_FIELDS = ['throughput', 'leadTimes', 'phases', 'kills'] as const;

/**
 * Requests the verdict for one worker. The daemon computes verdicts only on request, so this is
 * done only for workers that are shown in detail.
 */
export function createWorkerStatusQuery(id: string) {
  return queryOptions({
    queryKey: ['worker', id, 'status'],
    queryFn: ({ signal }) =>
      sendRequest(createCall('GET /workers/:id/status', { params: { id } }), ['health', 'spending'], {
        signal,
      }),
  });
}
