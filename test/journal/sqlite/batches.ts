/** Generates journal events from their sequence numbers, so that a test can predict each one. */
import type { EventBody } from '../../../src/core/model/event.ts';
import { message } from '../../ports/journal/events.ts';

/**
 * Returns the batch that begins at `first`. Its size and its events depend only on `first`, so they
 * are the same for every writer process.
 */
export function batchFrom(first: number): EventBody[] {
  return Array.from({ length: sizeOfBatch(first) }, (_, index) =>
    message(first + index, textOf(first + index)),
  );
}

/**
 * Returns the size of a batch: usually small, occasionally large enough to fill many pages of the
 * file.
 */
function sizeOfBatch(first: number): number {
  const dice = scramble(first) % 100;
  if (dice < 60) return 1;
  return dice < 95 ? 2 + (dice % 5) : 40;
}

function textOf(seq: number): string {
  const length = scramble(seq ^ 0x5eed) % 40 === 0 ? 9_000 : 60;
  return `${seq}:`.padEnd(length, String(seq));
}

/** Mixes the bits deterministically (xorshift and multiply). */
function scramble(seq: number): number {
  let bits = Math.imul(seq, 0x9e3779b1);
  bits = Math.imul(bits ^ (bits >>> 15), 0x85ebca6b);
  return (bits ^ (bits >>> 13)) >>> 0;
}
