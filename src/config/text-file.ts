/** Reads a small text file whole, or says with a code why it cannot. */
import { closeSync, constants, fstatSync, openSync, readSync } from 'node:fs';
import { type FaultCode, fault } from '../domain/fault.ts';
import { failed, ok, type Result } from '../domain/result.ts';

/** Never waits on a named pipe, and reads no more than `mostBytes` whatever the file claims to hold. */
export function readTextFile(path: string, mostBytes: number, follow: 'links' | 'no links'): Result<string> {
  try {
    const link = follow === 'links' ? 0 : constants.O_NOFOLLOW;
    const descriptor = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK | link);
    try {
      return readOpen(descriptor, path, mostBytes);
    } finally {
      closeSync(descriptor);
    }
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT' || code === 'ENOTDIR')
      return failed(fault('config.missing', `${path}: is not there`));
    return failed(fault('config.unreadable', `${path}: ${REASONS.get(code ?? '') ?? message}`));
  }
}

const REASONS: ReadonlyMap<string, string> = new Map([
  ['EACCES', 'may not be read by the user Legion runs as'],
  ['EPERM', 'may not be read by the user Legion runs as'],
  ['ELOOP', 'is a symbolic link, which is not followed here'],
]);

function readOpen(descriptor: number, path: string, mostBytes: number): Result<string> {
  const refuse = (code: FaultCode, says: string) => failed(fault(code, `${path}: ${says}`));
  const stats = fstatSync(descriptor);
  if (stats.isDirectory()) return refuse('config.unreadable', 'is a folder, expected a file');
  if (!stats.isFile()) return refuse('config.unreadable', 'is not an ordinary file');

  const bytes = readBytes(descriptor, mostBytes + 1, stats.size);
  if (bytes.length > mostBytes) return refuse('config.too_large', `is larger than ${mostBytes} bytes`);
  try {
    return ok(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
  } catch {
    return refuse('config.syntax', 'is not UTF-8 text');
  }
}

/** What a file has grown by while it is read is read in steps of this many bytes. */
const GROWTH_BYTES = 4_096;

/** As much as it is said to hold, and on from there if it holds more by now: these files are read every few seconds. */
function readBytes(descriptor: number, mostBytes: number, expected: number): Uint8Array {
  let buffer = Buffer.alloc(Math.min(expected + 1, mostBytes));
  let length = 0;
  for (;;) {
    const read = readSync(descriptor, buffer, length, buffer.length - length, null);
    length += read;
    if (read === 0 || length === mostBytes) return buffer.subarray(0, length);
    if (length === buffer.length) {
      buffer = Buffer.concat([buffer, Buffer.alloc(Math.min(GROWTH_BYTES, mostBytes - length))]);
    }
  }
}
