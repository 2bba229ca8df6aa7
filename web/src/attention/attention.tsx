/**
 * Shows in the tab's title and icon how many items need a person, and announces when the number
 * grows.
 */
import { useQuery } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { useAnnounce } from '../announce/announcer.tsx';
import { inboxQuery } from '../api/queries.ts';
import { useSession } from '../session/session.ts';
import { useTitle } from './title.ts';

/** Returns the number of items that need a person, or 0 until it is known. */
export function useWaiting(): number {
  return useQuery(inboxQuery).data?.length ?? 0;
}

/** Page title. The count comes first so that it is readable in a narrow tab. */
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
    document.querySelector<HTMLLinkElement>('link[rel=icon]')?.setAttribute('href', buildFavicon(waiting));
    const before = known.current;
    known.current = waiting;
    if (before !== undefined && waiting > before) {
      announce(waiting === 1 ? 'One item needs your attention.' : `${waiting} items need your attention.`);
    }
  }, [waiting, announce]);
  return null;
}

const MAX_SHOWN_COUNT = 99;

/**
 * Returns the icon as a `data:` URL: the content policy allows such images, and nothing has to be
 * fetched.
 */
function buildFavicon(count: number): string {
  return `data:image/svg+xml,${encodeURIComponent(drawFavicon(count))}`;
}

function drawFavicon(count: number): string {
  const mark =
    '<rect width="32" height="32" rx="8" fill="#3b5bdb"/><g fill="#fff"><path d="M7 9.5 11.5 7 16 9.5 11.5 12zM16 9.5 20.5 7 25 9.5 20.5 12zM7 16 11.5 13.5 16 16 11.5 18.5zM16 16 20.5 13.5 25 16 20.5 18.5zM7 22.5 11.5 20 16 22.5 11.5 25zM16 22.5 20.5 20 25 22.5 20.5 25z"/></g>';
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32">${mark}${count > 0 ? drawBubble(count) : ''}</svg>`;
}

function drawBubble(count: number): string {
  const text = String(Math.min(count, MAX_SHOWN_COUNT));
  const size = text.length > 1 ? 15 : 18;
  return `<circle cx="21" cy="21" r="11" fill="#e03131" stroke="#fff" stroke-width="1.5"/><text x="21" y="${21 + size * 0.36}" font-family="system-ui,sans-serif" font-weight="700" font-size="${size}" text-anchor="middle" fill="#fff">${text}</text>`;
}
