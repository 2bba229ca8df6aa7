/** Runs one piece of work after another: what one reads before it changes something must still hold when it does. */
import { abortable } from './abortable.ts';

/** Once `signal` is aborted, the caller waits no longer, and work that has not begun never begins. */
export type Mutex = <T>(work: () => Promise<T>, signal?: AbortSignal) => Promise<T>;

export function createMutex(): Mutex {
  let last: Promise<unknown> = Promise.resolve();
  return (work, signal) => {
    const begin = () => {
      signal?.throwIfAborted();
      return work();
    };
    const mine = last.then(begin, begin);
    last = mine.catch(() => {});
    return abortable(mine, signal);
  };
}

export type KeyedMutex = <T>(key: string, work: () => Promise<T>) => Promise<T>;

/** Work with the same key runs one after another; other keys do not wait for it. */
export function createKeyedMutex(): KeyedMutex {
  const last = new Map<string, Promise<unknown>>();
  return async (key, work) => {
    const mine = (last.get(key) ?? Promise.resolve()).then(work, work);
    last.set(key, mine);
    try {
      return await mine;
    } finally {
      if (last.get(key) === mine) last.delete(key);
    }
  };
}
