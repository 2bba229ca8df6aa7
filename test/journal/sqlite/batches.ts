/** A journal whose every event follows from its number, so that a test can tell what must be where. */
import type { EventBody } from '../../../src/core/model/event.ts';
import { message } from '../../ports/journal/events.ts';

/** The batch that begins at `first`, in whatever life of the writer it is written. Its size follows from `first` as well. */
export function batchFrom(first: number): EventBody[] {
  return Array.from({ length: sizeOfBatch(first) }, (_, index) =>
    message(first + index, textOf(first + index)),
  );
}

/** Mostly small, now and then one that fills many pages of the file. */
function sizeOfBatch(first: number): number {
  const dice = scramble(first) % 100;
  if (dice < 60) return 1;
  return dice < 95 ? 2 + (dice % 5) : 40;
}

function textOf(seq: number): string {
  const length = scramble(seq ^ 0x5eed) % 40 === 0 ? 9_000 : 60;
  return `${seq}:`.padEnd(length, String(seq));
}

/** A fixed mixing of the bits (xorshift and multiply): the same number always gives the same number. */
function scramble(seq: number): number {
  let bits = Math.imul(seq, 0x9e3779b1);
  bits = Math.imul(bits ^ (bits >>> 15), 0x85ebca6b);
  return (bits ^ (bits >>> 13)) >>> 0;
}
