/** Tells of what waits for a person wherever they are: in the tab's title and picture, and aloud when it becomes more. */
import { useQuery } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { useAnnounce } from '../announce/announcer.tsx';
import { inboxQuery } from '../api/queries.ts';
import { useSession } from '../session/gate.tsx';
import { faviconFor } from './favicon.ts';
import { useTitle } from './title.ts';

/** How many things wait for a person; 0 as long as it is not known. */
export function useWaiting(): number {
  return useQuery(inboxQuery).data?.length ?? 0;
}

/** The page's title: first how many things wait, so that it can be read in a narrow tab. */
export function PageTitle({ of }: { readonly of: string }) {
  const { legion } = useSession();
  const waiting = useWaiting();
  useTitle(`${waiting > 0 ? `(${waiting}) ` : ''}${of} · ${legion}`);
  return null;
}

export function Attention() {
  const { data } = useQuery(inboxQuery);
  const announce = useAnnounce();
  const known = useRef<number | undefined>(undefined);
  const waiting = data?.length;
  useEffect(() => {
    if (waiting === undefined) return;
    document.querySelector<HTMLLinkElement>('link[rel=icon]')?.setAttribute('href', faviconFor(waiting));
    const before = known.current;
    known.current = waiting;
    if (before !== undefined && waiting > before) {
      announce(waiting === 1 ? 'One thing needs you.' : `${waiting} things need you.`);
    }
  }, [waiting, announce]);
  return null;
}
