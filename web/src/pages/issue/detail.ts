/** The issue as it is, with its workers as they are this very second. */
import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { workersQuery } from '../../api/queries.ts';
import { detailQuery } from './queries.ts';

export function useDetail(id: string) {
  const { data, error, refetch } = useQuery(detailQuery(id));
  // The daemon knows its workers without asking anybody, so that these may be asked for at every event.
  const { data: workers } = useQuery(workersQuery);
  const detail = useMemo(() => {
    const its = workers?.filter(({ issue }) => issue === data?.issue.id) ?? [];
    return data === undefined || its.length === 0 ? data : { ...data, workers: its };
  }, [data, workers]);
  return { data: detail, error, refetch };
}
