/**
 * The session key, which pages send in addition to the cookie. The browser stores the key per
 * origin, including the port, but shares cookies among all ports of a host.
 */

const NAME = 'legion.key';

export const sessionKey = {
  read(): string | null {
    return getStorage()?.getItem(NAME) ?? null;
  },
  keep(value: string): void {
    getStorage()?.setItem(NAME, value);
  },
  forget(): void {
    getStorage()?.removeItem(NAME);
  },
  /** Calls back when another tab has logged in or out. */
  watch(changed: () => void): () => void {
    const listener = (event: StorageEvent) => {
      if (event.key === NAME || event.key === null) changed();
    };
    window.addEventListener('storage', listener);
    return () => window.removeEventListener('storage', listener);
  },
};

/** Browsers that block storage throw on any access to it. */
function getStorage(): Storage | undefined {
  try {
    return window.localStorage;
  } catch {
    return undefined;
  }
}
