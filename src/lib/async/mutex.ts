/**
 * Runs tasks one at a time, so that a fact read before a change is still true when the change is
 * made.
 */
import { withAbortSignal } from './abortable.ts';

/** When `signal` aborts, the caller stops waiting and work that has not begun never begins. */
export type Mutex = <T>(work: () => Promise<T>, signal?: AbortSignal) => Promise<T>;

export function createMutex(): Mutex {
  let last: Promise<unknown> = Promise.resolve();
  return (work, signal) => {
    const begin = () => {
      signal?.throwIfAborted();
      return work();
    };
    const result = last.then(begin, begin);
    last = result.catch(() => {});
    return withAbortSignal(result, signal);
  };
}

export type KeyedMutex = <T>(key: string, work: () => Promise<T>) => Promise<T>;

/** Serialises work with the same key. Work with other keys does not wait. */
export function createKeyedMutex(): KeyedMutex {
  const last = new Map<string, Promise<unknown>>();
  return async (key, work) => {
    const result = (last.get(key) ?? Promise.resolve()).then(work, work);
    last.set(key, result);
    try {
      return await result;
    } finally {
      if (last.get(key) === result) last.delete(key);
    }
  };
}

export type Semaphore = <T>(work: () => Promise<T>, signal: AbortSignal | undefined) => Promise<T>;

/**
 * Limits how much work runs at once. The rest waits in order. An aborted waiter leaves the queue.
 * Running work is not interrupted.
 */
export function createSemaphore(width: number): Semaphore {
  const waiting: (() => void)[] = [];
  let running = 0;

  function enter(signal: AbortSignal | undefined): Promise<void> {
    signal?.throwIfAborted();
    if (running < width) {
      running += 1;
      return Promise.resolve();
    }
    return new Promise((resolve, reject) => {
      const begin = () => {
        signal?.removeEventListener('abort', leave);
        resolve();
      };
      const leave = () => {
        waiting.splice(waiting.indexOf(begin), 1);
        reject(signal?.reason as Error);
      };
      waiting.push(begin);
      signal?.addEventListener('abort', leave, { once: true });
    });
  }

  return async (work, signal) => {
    await enter(signal);
    try {
      return await work();
    } finally {
      // The slot passes directly to the next waiter, so that no newcomer can take it.
      const next = waiting.shift();
      if (next === undefined) running -= 1;
      else next();
    }
  };
}
