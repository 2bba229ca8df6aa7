/** Where to begin reading for the end of what a worker wrote: nothing before that is read. */
import type { FileHandle } from 'node:fs/promises';
import { join } from 'node:path';
import { LegionError } from '../../core/model/fault.ts';
import type { OutputStream } from '../host.ts';
import { toFault } from './faults.ts';
import { CHUNK_BYTES, openOutput } from './output.ts';
import { restOfCharacter } from './tail.ts';

const NEWLINE = 0x0a;
/** In UTF-8. */
const LONGEST_CHARACTER_BYTES = 4;

export async function lineNearEnd(
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
    // What is written meanwhile only adds to what is read from there on.
    const size = Math.min((await file.stat()).size, limitBytes);
    if (size <= bytes) return 0;
    const from = size - bytes;
    return (await lineWithin(file, from, size)) ?? (await characterFrom(file, from));
  } catch (error) {
    throw toFault(path, error);
  } finally {
    await file.close();
  }
}

/** The first line that begins at `from` or later and has anything in it; undefined where there is none before `end`. */
async function lineWithin(file: FileHandle, from: number, end: number): Promise<number | undefined> {
  const buffer = Buffer.allocUnsafe(CHUNK_BYTES);
  // The byte before tells whether a line begins right there; after the last byte none has begun yet.
  for (let at = from - 1; at < end - 1; ) {
    const { bytesRead } = await file.read(buffer, 0, Math.min(CHUNK_BYTES, end - 1 - at), at);
    if (bytesRead === 0) return undefined;
    const place = buffer.subarray(0, bytesRead).indexOf(NEWLINE);
    if (place !== -1) return at + place + 1;
    at += bytesRead;
  }
  return undefined;
}

async function characterFrom(file: FileHandle, from: number): Promise<number> {
  const { buffer, bytesRead } = await file.read(Buffer.alloc(LONGEST_CHARACTER_BYTES), 0, undefined, from);
  return from + restOfCharacter(buffer.subarray(0, bytesRead));
}
