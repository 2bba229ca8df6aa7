/** Loads pages on demand and handles files that fail to load. */
import { type ComponentType, lazy } from 'react';

/**
 * Flag in the session storage. Set when a page is reloaded because its files did not load, and
 * cleared when a page has loaded.
 */
const RELOADED = 'legion.reloaded';

/**
 * Thrown if a page's files do not load: the daemon is unreachable, or was upgraded and serves the
 * files under other names.
 */
export class PageLoadError extends Error {
  constructor(cause: unknown) {
    super(cause instanceof Error ? cause.message : String(cause), { cause });
    this.name = 'PageLoadError';
  }
}

export function createLazyPage(load: () => Promise<ComponentType>): ComponentType {
  return lazy(async () => {
    const page = await load().catch((error: unknown) => {
      throw new PageLoadError(error);
    });
    recordReload(null);
    return { default: page };
  });
}

/**
 * Reloads the document, because the browser remembers that a module failed to load, and Vite does
 * the same for style sheets. Returns false if a reload was already tried and did not help.
 */
export function tryReload(): boolean {
  try {
    if (window.sessionStorage.getItem(RELOADED) !== null) return false;
  } catch {
    return false; // without storage, nothing would stop endless reloads
  }
  recordReload('yes');
  window.location.reload();
  return true;
}

function recordReload(value: 'yes' | null): void {
  try {
    if (value === null) window.sessionStorage.removeItem(RELOADED);
    else window.sessionStorage.setItem(RELOADED, value);
  } catch {
    // Storage is blocked, so `tryReload` never reloads.
  }
}
