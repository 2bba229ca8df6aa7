/** One after the other, in the order of asking. */

/** Who gives up waits no longer, and its work is not begun; the others keep their order. */
export type InTurn = <T>(work: () => Promise<T>, signal?: AbortSignal) => Promise<T>;

export function inTurn(): InTurn {
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

function abortable<T>(work: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  if (signal === undefined) return work;
  return new Promise((resolve, reject) => {
    const leave = () => reject(signal.reason as Error);
    if (signal.aborted) leave();
    signal.addEventListener('abort', leave, { once: true });
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', leave));
  });
}
