/** Writes more than anybody wants to read: exactly as many bytes as asked for. */
import { once } from 'node:events';
import type { Writable } from 'node:stream';

const HEAD = '{"type":"text","text":"';
const TAIL = '"}\n';
/** Bytes of one line among many. */
const LINE_BYTES = 4_096;
/** Bytes handed over at once. */
const CHUNK_BYTES = 65_536;

export async function flood(stdout: Writable, bytes: number, oneLine: boolean): Promise<void> {
  if (oneLine) return line(stdout, bytes);
  let left = bytes;
  // The last line takes the rest, so that no remainder is too short to be a line.
  for (; left >= 2 * LINE_BYTES; left -= LINE_BYTES) await line(stdout, LINE_BYTES);
  await line(stdout, left);
}

/** In pieces, so that the line is nowhere in memory as a whole. */
async function line(stdout: Writable, bytes: number): Promise<void> {
  await write(stdout, HEAD);
  for (let left = bytes - HEAD.length - TAIL.length; left > 0; left -= CHUNK_BYTES) {
    await write(stdout, 'x'.repeat(Math.min(left, CHUNK_BYTES)));
  }
  await write(stdout, TAIL);
}

/** A reader that is slow sets the pace; one that is gone ends the whole process. */
async function write(stdout: Writable, text: string): Promise<void> {
  if (!stdout.write(text)) await once(stdout, 'drain');
}
