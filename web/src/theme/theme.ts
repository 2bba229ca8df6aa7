/** The theme: light, dark, or the same as the system's. */
import { useSyncExternalStore } from 'react';

export const THEMES = ['system', 'light', 'dark'] as const;
export type Theme = (typeof THEMES)[number];

const NAME = 'legion.theme';
const CHANGED = 'legion:theme';
/** Attribute that the styles read. */
const ATTRIBUTE = 'data-theme';

/** Called before the first paint, and in every tab when one of them changes the theme. */
export function applyTheme(): void {
  show(readStoredTheme());
}

export function chooseTheme(theme: Theme): void {
  try {
    if (theme === 'system') window.localStorage.removeItem(NAME);
    else window.localStorage.setItem(NAME, theme);
  } catch {
    // Without storage, the theme lasts until the page is left.
  }
  show(theme);
  window.dispatchEvent(new Event(CHANGED));
}

export function useTheme(): Theme {
  return useSyncExternalStore(watchTheme, () => read(document.documentElement.getAttribute(ATTRIBUTE)));
}

function watchTheme(changed: () => void): () => void {
  const fromOtherTab = (event: StorageEvent) => {
    if (event.key !== NAME) return;
    applyTheme();
    changed();
  };
  window.addEventListener(CHANGED, changed);
  window.addEventListener('storage', fromOtherTab);
  return () => {
    window.removeEventListener(CHANGED, changed);
    window.removeEventListener('storage', fromOtherTab);
  };
}

function show(theme: Theme): void {
  if (theme === 'system') document.documentElement.removeAttribute(ATTRIBUTE);
  else document.documentElement.setAttribute(ATTRIBUTE, theme);
}

function readStoredTheme(): Theme {
  try {
    return read(window.localStorage.getItem(NAME));
  } catch {
    return 'system';
  }
}

function read(value: string | null): Theme {
  return THEMES.find((theme) => theme === value) ?? 'system';
}
