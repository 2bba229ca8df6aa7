/** One after the other: what is remembered of the boards is changed by one reading at a time. */
import { abortable } from '../../github/abortable.ts';

export type InTurn = <T>(work: () => Promise<T>, signal: AbortSignal) => Promise<T>;

export function inTurn(): InTurn {
  let last: Promise<unknown> = Promise.resolve();
  return (work, signal) => {
    const begin = () => {
      signal.throwIfAborted();
      return work();
    };
    const mine = last.then(begin, begin);
    last = mine.catch(() => {});
    return abortable(mine, signal);
  };
}
