/** Reads whole files of bounded size. Synchronous, because they are small and on a local disk. */
import { closeSync, constants, fstatSync, openSync, readFileSync, readSync } from 'node:fs';
import { parseJson } from '../json.ts';

/** Number of bytes to read at a time from a file that grows during the read. */
const GROWTH_BYTES = 4_096;

/**
 * Throws the file system's error, which is ELOOP for a symbolic link if links are not followed.
 * Never blocks on a named pipe, and reads at most `maxBytes` whatever size the file reports.
 */
export function readBounded(
  path: string,
  maxBytes: number,
  follow: 'links' | 'no links',
): Buffer | 'folder' | 'not a file' | 'too large' {
  const link = follow === 'links' ? 0 : constants.O_NOFOLLOW;
  const descriptor = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK | link);
  try {
    const stats = fstatSync(descriptor);
    if (!stats.isFile()) return stats.isDirectory() ? 'folder' : 'not a file';
    const bytes = readUpTo(descriptor, maxBytes + 1, stats.size);
    return bytes.length > maxBytes ? 'too large' : bytes;
  } finally {
    closeSync(descriptor);
  }
}

/** Reads the reported size, and more if the file has grown. */
function readUpTo(descriptor: number, limit: number, expected: number): Buffer {
  let buffer = Buffer.alloc(Math.min(expected + 1, limit));
  let length = 0;
  for (;;) {
    const read = readSync(descriptor, buffer, length, buffer.length - length, null);
    length += read;
    if (read === 0 || length === limit) return buffer.subarray(0, length);
    if (length === buffer.length)
      buffer = Buffer.concat([buffer, Buffer.alloc(Math.min(GROWTH_BYTES, limit - length))]);
  }
}

/** Reads a file that only Legion writes. Undefined if it is missing, unreadable or not JSON. */
export function readJsonFile(path: string): unknown {
  try {
    return parseJson(readFileSync(path, 'utf8'));
  } catch {
    return undefined;
  }
}
