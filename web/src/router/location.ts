/** Where the page is: the address bar is the only memory, so that reload, back and a copied link all mean the same. */
import { useMemo, useSyncExternalStore } from 'react';

/** Everything of the dashboard lives below it. */
const BASE = '/ui';

/** The path below the base: `/`, `/issues/DEMO-1`. */
export function usePath(): string {
  return pathIn(useSyncExternalStore(listen, () => window.location.pathname));
}

/** The query's fields. They are what a page can be brought back to: filters, a moment, an open tab. */
export function useQueryFields(): URLSearchParams {
  const search = useSyncExternalStore(listen, () => window.location.search);
  return useMemo(() => new URLSearchParams(search), [search]);
}

export interface Going {
  /** The present entry is replaced: for what is typed or dragged, where each step would fill the history. */
  readonly replace?: boolean;
}

/** `to` is a path below the base, with its query. */
export function go(to: string, { replace = false }: Going = {}): void {
  const href = hrefOf(to);
  const here = window.location.pathname + window.location.search;
  if (href === here) return;
  const isOtherPage =
    pathIn(new URL(href, window.location.href).pathname) !== pathIn(window.location.pathname);
  window.history[replace ? 'replaceState' : 'pushState'](null, '', href);
  // The browser tells of its own steps only; ours are told the same way.
  window.dispatchEvent(new PopStateEvent('popstate'));
  if (isOtherPage) window.scrollTo(0, 0);
}

/** Changes fields of the query in place; null takes one out. */
export function setFields(
  changes: Readonly<Record<string, string | null>>,
  going: Going = { replace: true },
): void {
  const fields = new URLSearchParams(window.location.search);
  for (const [name, value] of Object.entries(changes)) {
    if (value === null || value === '') fields.delete(name);
    else fields.set(name, value);
  }
  const query = fields.toString();
  go(pathIn(window.location.pathname) + (query === '' ? '' : `?${query}`), going);
}

export function hrefOf(to: string): string {
  return BASE + to;
}

function pathIn(pathname: string): string {
  const path = pathname.startsWith(`${BASE}/`) ? pathname.slice(BASE.length) : '/';
  return path.length > 1 ? path.replace(/\/+$/, '') || '/' : path;
}

function listen(changed: () => void): () => void {
  window.addEventListener('popstate', changed);
  return () => window.removeEventListener('popstate', changed);
}
