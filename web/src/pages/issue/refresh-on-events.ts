/**
 * After an event of the issue, refetches the data that the daemon reads from the tracker, the forge
 * or the disk, at a limited rate.
 */
import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { useEvents } from '../../live/live-events.ts';
import { listStaleKeys } from '../../live/stale-keys.ts';
import { useSession } from '../../session/session.ts';

/**
 * First word of the keys of queries that make the daemon read from the tracker, the forge or the
 * disk.
 */
export const EXTERNAL = 'external';

/**
 * Minimum time between refetches. Reading a local board and repository takes only a few
 * milliseconds.
 */
const LOCAL_REFRESH_MS = 2_000;
/**
 * Minimum time between refetches from a service. Services have API quotas, and a page left open for
 * a day must not use up the legion's quota.
 */
const SERVICE_REFRESH_MS = 20_000;

export function useRefreshOnEvents(id: string): void {
  const client = useQueryClient();
  const { ownBoard } = useSession();
  const wait = ownBoard ? LOCAL_REFRESH_MS : SERVICE_REFRESH_MS;
  const refreshedAt = useRef(0);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => () => clearTimeout(timer.current), []);
  useEvents((event) => {
    if (
      timer.current !== undefined ||
      !listStaleKeys(event).some(([word, issue]) => word === 'issue' && issue === id)
    )
      return;
    const refresh = () => {
      timer.current = undefined;
      refreshedAt.current = Date.now();
      void client.invalidateQueries({ queryKey: [EXTERNAL, id] });
    };
    timer.current = setTimeout(refresh, Math.max(0, refreshedAt.current + wait - Date.now()));
  });
}
