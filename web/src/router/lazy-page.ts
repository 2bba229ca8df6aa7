/** Pages whose files are loaded when they are opened, and what to do when those files do not arrive. */
import { type ComponentType, lazy } from 'react';

/** Kept in this tab: the page was reloaded because its files did not arrive, and they have not arrived since. */
const RELOADED = 'legion.reloaded';

/** The daemon is away, or was upgraded and has these files under other names. */
export class PageLoadError extends Error {
  constructor(cause: unknown) {
    super(cause instanceof Error ? cause.message : String(cause), { cause });
    this.name = 'PageLoadError';
  }
}

export function lazyPage(load: () => Promise<ComponentType>): ComponentType {
  return lazy(async () => {
    const page = await load().catch((error: unknown) => {
      throw new PageLoadError(error);
    });
    remember(null);
    return { default: page };
  });
}

/**
 * A browser remembers a module, and Vite a style sheet, that failed to load: only a new document asks for them again.
 * False if that was tried already and did not help.
 */
export function reloadOnce(): boolean {
  try {
    if (window.sessionStorage.getItem(RELOADED) !== null) return false;
  } catch {
    return false; // without storage nothing would end a second reload
  }
  remember('yes');
  window.location.reload();
  return true;
}

function remember(value: 'yes' | null): void {
  try {
    if (value === null) window.sessionStorage.removeItem(RELOADED);
    else window.sessionStorage.setItem(RELOADED, value);
  } catch {
    // The browser allows no storage; then nothing is reloaded automatically.
  }
}
