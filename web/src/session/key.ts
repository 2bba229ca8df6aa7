/** The page's half of its session: kept by the browser for this very address, port included, as no cookie is. */

const NAME = 'legion.key';

export const key = {
  read(): string | null {
    return stored()?.getItem(NAME) ?? null;
  },
  keep(value: string): void {
    stored()?.setItem(NAME, value);
  },
  forget(): void {
    stored()?.removeItem(NAME);
  },
  /** Calls when another tab has entered or left. */
  watch(changed: () => void): () => void {
    const listener = (event: StorageEvent) => {
      if (event.key === NAME || event.key === null) changed();
    };
    window.addEventListener('storage', listener);
    return () => window.removeEventListener('storage', listener);
  },
};

/** Browsers that forbid storage throw at the mere mention of it. */
function stored(): Storage | undefined {
  try {
    return window.localStorage;
  } catch {
    return undefined;
  }
}
