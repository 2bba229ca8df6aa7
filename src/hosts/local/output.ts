/** Reads what a worker wrote, from any offset, a bounded piece at a time. */
import { type FileHandle, open } from 'node:fs/promises';
import { join } from 'node:path';
import { LegionError } from '../../core/model/fault.ts';
import type { OutputChunk, OutputStream } from '../host.ts';
import { errnoOf, toFault } from './faults.ts';
import { readExitStatus } from './records.ts';

/** One piece: large enough that 10 MB are 160 of them, small enough that 200 readers at once are 13 MB. */
export const CHUNK_BYTES = 64 * 1024;

/** Bytes that are no UTF-8 come as U+FFFD; offsets count bytes all the same. */
export async function* readOutput(
  folder: string,
  offset: number,
  stream: OutputStream,
  limitBytes: number,
): AsyncGenerator<OutputChunk> {
  if (!Number.isSafeInteger(offset) || offset < 0)
    throw new LegionError('input.invalid', `offset: expected a whole number from 0, got ${offset}`);
  const path = join(folder, stream);
  const file = await openOutput(path);
  try {
    // Asked before the last bytes are read: half a character at the end is complete only if nobody goes on writing.
    const isOver = await isEndWritten(folder);
    const buffer = Buffer.allocUnsafe(CHUNK_BYTES);
    let at = offset;
    for (;;) {
      const read = await fill(file, buffer, at, limitBytes);
      const isLast = read < CHUNK_BYTES;
      const whole = isLast && (isOver || at + read === limitBytes) ? read : wholeCharacters(buffer, read);
      if (whole > 0) {
        at += whole;
        yield { text: buffer.toString('utf8', 0, whole), nextOffset: at };
      }
      if (isLast) return;
    }
  } catch (error) {
    throw toFault(path, error);
  } finally {
    await file.close();
  }
}

export async function openOutput(path: string): Promise<FileHandle> {
  try {
    return await open(path, 'r');
  } catch (error) {
    if (errnoOf(error) === 'ENOENT')
      throw new LegionError('host.no_attempt', `${path}: is not there`, { cause: error });
    throw toFault(path, error);
  }
}

/** A status that is damaged was written all the same. */
async function isEndWritten(folder: string): Promise<boolean> {
  return readExitStatus(folder).then(
    (status) => status !== undefined,
    () => true,
  );
}

/** Reads until the buffer is full or the end is reached; the number of bytes read. */
async function fill(file: FileHandle, buffer: Buffer, from: number, limitBytes: number): Promise<number> {
  let filled = 0;
  for (;;) {
    const wanted = Math.min(buffer.length - filled, limitBytes - from - filled);
    if (wanted <= 0) return filled;
    const { bytesRead } = await file.read(buffer, filled, wanted, from + filled);
    if (bytesRead === 0) return filled;
    filled += bytesRead;
  }
}

/** The length without a last character whose end is still to come, at most three bytes less. */
function wholeCharacters(bytes: Uint8Array, length: number): number {
  for (let back = 1; back <= Math.min(3, length); back += 1) {
    const byte = bytes[length - back] ?? 0;
    if (byte < 0x80) return length;
    if (byte < 0xc0) continue; // inside a character; its head tells how long it is
    const needs = byte < 0xe0 ? 2 : byte < 0xf0 ? 3 : byte < 0xf8 ? 4 : 1;
    return needs > back ? length - back : length;
  }
  return length;
}
