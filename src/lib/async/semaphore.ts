/** Lets a few pieces of work run at once; the others wait in the order of asking. */

export type Semaphore = <T>(work: () => Promise<T>, signal: AbortSignal | undefined) => Promise<T>;

/** Whoever gives up while waiting leaves the queue; work that has begun is not interrupted. */
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
      // A place is handed on, never freed while somebody waits: nobody can slip in between.
      const next = waiting.shift();
      if (next === undefined) running -= 1;
      else next();
    }
  };
}
