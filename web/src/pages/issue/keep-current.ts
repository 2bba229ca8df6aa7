/** Asks again for what the daemon has to read outside, when something has happened to the issue, and no oftener than that may cost. */
import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { useEvents } from '../../live/live.tsx';
import { concerns } from '../../live/stale-keys.ts';
import { useSession } from '../../session/gate.tsx';
import { FAR } from './queries.ts';

/** A board and a repository on this machine cost a few milliseconds. */
const OWN_EVERY_MS = 2_000;
/** A service counts what it is asked: a page that is left open for a day must not use up what the legion lives on. */
const SERVICE_EVERY_MS = 20_000;

export function useKeptCurrent(id: string): void {
  const client = useQueryClient();
  const { ownBoard } = useSession();
  const wait = ownBoard ? OWN_EVERY_MS : SERVICE_EVERY_MS;
  const askedAt = useRef(0);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => () => clearTimeout(timer.current), []);
  useEvents((event) => {
    if (
      timer.current !== undefined ||
      !concerns(event).some(([word, issue]) => word === 'issue' && issue === id)
    )
      return;
    const ask = () => {
      timer.current = undefined;
      askedAt.current = Date.now();
      void client.invalidateQueries({ queryKey: [FAR, id] });
    };
    timer.current = setTimeout(ask, Math.max(0, askedAt.current + wait - Date.now()));
  });
}
