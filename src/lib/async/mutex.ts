/** One after the other: what one reads before it changes something must still hold when it does. */
import { abortable } from './abortable.ts';

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
