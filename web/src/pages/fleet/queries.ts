/** What the fleet page asks for beside health and workers. */
import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import type { Figures } from '../../../../src/protocol/dashboard.ts';
import type { WorkerStatusView } from '../../../../src/protocol/operator.ts';
import { request } from '../../api/request.ts';
import { RANGES, type Range } from './range.ts';

export function figuresQuery(range: Range) {
  return queryOptions({
    queryKey: ['figures', range],
    queryFn: ({ signal }) =>
      request<Figures>(
        'GET',
        `/figures?back=${RANGES[range].ms}`,
        ['throughput', 'leadTimes', 'phases', 'kills'],
        {
          signal,
        },
      ),
    // The charts of the last range stay until those of the next are there.
    placeholderData: keepPreviousData,
  });
}

/** The verdict is made when it is asked for: only of workers somebody looks at. */
export function workerStatusQuery(id: string) {
  return queryOptions({
    queryKey: ['worker', id, 'status'],
    queryFn: ({ signal }) =>
      request<WorkerStatusView>('GET', `/workers/${encodeURIComponent(id)}/status`, ['health', 'spending'], {
        signal,
      }),
  });
}
