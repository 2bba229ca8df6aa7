/**
 * Navigation within the dashboard. The address holds the whole state of a page: filters, tab,
 * moment.
 */
import { useMemo } from 'react';
import type { AroundNavHandler } from 'wouter';
import { navigate, useSearch } from 'wouter/use-browser-location';

/** Path of the dashboard's first page. */
export const BASE = '/ui';

/** Reads the raw query, because wouter's `useSearchParams` decodes `%25` twice. */
export function useQueryFields(): URLSearchParams {
  const search = useSearch();
  return useMemo(() => new URLSearchParams(search), [search]);
}

interface NavigateOptions {
  /**
   * Whether to replace the current history entry. Otherwise, typing and dragging would fill the
   * history.
   */
  readonly replace?: boolean;
}

/** Opens `to`, a path below `BASE` with its query. */
export function openPage(to: string, options: NavigateOptions = {}): void {
  openHref(navigate, toHref(to), options);
}

/**
 * Scrolls to the top of a new page, as a browser does. Opening the current address again adds no
 * history entry.
 */
export const openHref: AroundNavHandler = (open, href, options) => {
  const { pathname, search } = window.location;
  if (href === pathname + search) return;
  open(href, options);
  if (window.location.pathname !== pathname) window.scrollTo(0, 0);
};

/** Changes fields of the query in the current address. Null removes a field. */
export function setFields(
  changes: Readonly<Record<string, string | null>>,
  options: NavigateOptions = { replace: true },
): void {
  const fields = new URLSearchParams(window.location.search);
  for (const [name, value] of Object.entries(changes)) {
    if (value === null || value === '') fields.delete(name);
    else fields.set(name, value);
  }
  const query = fields.toString();
  openHref(navigate, window.location.pathname + (query === '' ? '' : `?${query}`), options);
}

export function toHref(to: string): string {
  return BASE + to;
}
