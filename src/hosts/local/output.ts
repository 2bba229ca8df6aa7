/** Reads a worker's output from any offset, one bounded chunk at a time, and limits its size. */
import { type FileHandle, open, stat, truncate } from 'node:fs/promises';
import { join } from 'node:path';
import { LegionError } from '../../core/model/fault.ts';
import type { OutputChunk, OutputStream } from '../../ports/host.ts';
import { isPathPresent, readExitStatus } from './attempt-folder.ts';
import { getErrno, toHostFault } from './faults.ts';

/** At this chunk size, 10 MB takes 160 chunks, and 200 concurrent readers need only 13 MB of memory. */
const CHUNK_BYTES = 64 * 1024;

/** Invalid UTF-8 becomes U+FFFD; offsets still count bytes. */
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
    // Checked before the last bytes are read: a partial character at the end is final only if the
    // writer has exited.
    const isOver = await isEndWritten(folder);
    const buffer = Buffer.allocUnsafe(CHUNK_BYTES);
    let at = offset;
    for (;;) {
      const read = await readIntoBuffer(file, buffer, at, limitBytes);
      const isLast = read < CHUNK_BYTES;
      const whole =
        isLast && (isOver || at + read === limitBytes) ? read : countCompleteCharacterBytes(buffer, read);
      if (whole > 0) {
        at += whole;
        yield { text: buffer.toString('utf8', 0, whole), nextOffset: at };
      }
      if (isLast) return;
    }
  } catch (error) {
    throw toHostFault(path, error);
  } finally {
    await file.close();
  }
}

async function openOutput(path: string): Promise<FileHandle> {
  try {
    return await open(path, 'r');
  } catch (error) {
    if (getErrno(error) === 'ENOENT')
      throw new LegionError('host.no_attempt', `${path} does not exist`, { cause: error });
    throw toHostFault(path, error);
  }
}

/** A damaged status still means that the attempt ended. */
async function isEndWritten(folder: string): Promise<boolean> {
  return readExitStatus(folder).then(
    (status) => status !== undefined,
    () => true,
  );
}

/** Reads until the buffer is full or the end is reached. Returns the number of bytes read. */
async function readIntoBuffer(
  file: FileHandle,
  buffer: Buffer,
  from: number,
  limitBytes: number,
): Promise<number> {
  let filled = 0;
  for (;;) {
    const wanted = Math.min(buffer.length - filled, limitBytes - from - filled);
    if (wanted <= 0) return filled;
    const { bytesRead } = await file.read(buffer, filled, wanted, from + filled);
    if (bytesRead === 0) return filled;
    filled += bytesRead;
  }
}

/**
 * Returns the number of bytes, excluding an incomplete character at the end. Such a character has
 * at most three bytes.
 */
function countCompleteCharacterBytes(bytes: Uint8Array, length: number): number {
  for (let back = 1; back <= Math.min(3, length); back += 1) {
    const byte = bytes[length - back] ?? 0;
    if (byte < 0x80) return length;
    if (byte < 0xc0) continue; // inside a character; its first byte gives the length
    const needs = byte < 0xe0 ? 2 : byte < 0xf0 ? 3 : byte < 0xf8 ? 4 : 1;
    return needs > back ? length - back : length;
  }
  return length;
}

/**
 * Even a busy agent writes only a few tens of megabytes per stream overnight. An agent that writes
 * more is repeating itself and would fill the disk.
 */
export const OUTPUT_LIMIT_BYTES = 512 * 1024 * 1024;

const STREAMS: readonly OutputStream[] = ['out', 'err'];

/**
 * Limits a worker's stored output: keeps its beginning and marks that the rest was dropped. The
 * worker appends, so it continues at the new end without noticing, and all offsets below the limit
 * stay valid. Only watchers enforce the limit; files that are not watched keep growing.
 */
export async function enforceOutputLimit(
  folder: string,
  limitBytes: number,
): Promise<{ bytes: number; overflowed: boolean }> {
  const mark = join(folder, 'overflowed');
  let bytes = 0;
  for (const stream of STREAMS) {
    const path = join(folder, stream);
    const { size } = await stat(path);
    bytes += Math.min(size, limitBytes);
    if (size <= limitBytes) continue;
    // Writes the mark before truncating: a crash between the two steps then keeps too much output,
    // but never hides a loss.
    await (await open(mark, 'a', 0o600)).close();
    await truncate(path, limitBytes);
  }
  return { bytes, overflowed: await isPathPresent(mark) };
}

/**
 * Maximum size of a tail in bytes: a few hundred lines, which nearly always include the error of a
 * failed check.
 */
const MAX_TAIL_BYTES = 32 * 1024;

/**
 * Returns the text written to a file after `from`. If the text is too long for a message, returns
 * only its end.
 */
export async function readTail(file: FileHandle, from: number): Promise<string> {
  const { size } = await file.stat();
  const start = Math.max(from, size - MAX_TAIL_BYTES);
  const buffer = Buffer.alloc(Math.max(0, size - start));
  const { bytesRead } = await file.read(buffer, 0, buffer.length, start);
  const text = buffer.subarray(0, bytesRead);
  return text.toString('utf8', start === from ? 0 : countPartialCharacterBytes(text));
}

/**
 * Counts the bytes at the start that belong to a split character, at most three. Returns zero if
 * the bytes are not UTF-8.
 */
function countPartialCharacterBytes(bytes: Uint8Array): number {
  const first = bytes.subarray(0, 4).findIndex((byte) => byte < 0x80 || byte >= 0xc0);
  return Math.max(0, first);
}

const NEWLINE = 0x0a;
/** Maximum size of a UTF-8 character in bytes. */
const MAX_CHARACTER_BYTES = 4;

/**
 * Finds where to start reading the end of a worker's output, without reading everything before it.
 */
export async function findLineNearEnd(
  folder: string,
  bytes: number,
  stream: OutputStream,
  limitBytes: number,
): Promise<number> {
  if (!Number.isSafeInteger(bytes) || bytes < 1)
    throw new LegionError('input.invalid', `bytes: expected a whole number from 1, got ${bytes}`);
  const path = join(folder, stream);
  const file = await openOutput(path);
  try {
    // Uses the current size: output written later only makes the result longer.
    const size = Math.min((await file.stat()).size, limitBytes);
    if (size <= bytes) return 0;
    const from = size - bytes;
    return (await findLineWithin(file, from, size)) ?? (await findCharacterStart(file, from));
  } catch (error) {
    throw toHostFault(path, error);
  } finally {
    await file.close();
  }
}

/**
 * Returns the start of the first non-empty line that begins at or after `from`, or undefined if
 * none begins before `end`.
 */
async function findLineWithin(file: FileHandle, from: number, end: number): Promise<number | undefined> {
  const buffer = Buffer.allocUnsafe(CHUNK_BYTES);
  // The byte before a position shows whether a line starts there. At the very end, no line has
  // started yet.
  for (let at = from - 1; at < end - 1; ) {
    const { bytesRead } = await file.read(buffer, 0, Math.min(CHUNK_BYTES, end - 1 - at), at);
    if (bytesRead === 0) return undefined;
    const newline = buffer.subarray(0, bytesRead).indexOf(NEWLINE);
    if (newline !== -1) return at + newline + 1;
    at += bytesRead;
  }
  return undefined;
}

async function findCharacterStart(file: FileHandle, from: number): Promise<number> {
  const { buffer, bytesRead } = await file.read(Buffer.alloc(MAX_CHARACTER_BYTES), 0, undefined, from);
  return from + countPartialCharacterBytes(buffer.subarray(0, bytesRead));
}
