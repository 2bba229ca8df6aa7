/**
 * Reads small text files, and reads and writes the operator's private records. Failures carry a
 * code.
 */
import { isUtf8 } from 'node:buffer';
import { mkdirSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import type { z } from 'zod';
import { decode } from '../core/model/decode.ts';
import { createFault, type FaultCode, fail, ok, type Result } from '../core/model/fault.ts';
import { writeDurablySync } from '../lib/fs/atomic-write.ts';
import { readBounded } from '../lib/fs/read-bounded.ts';
import { parseJson } from '../lib/json.ts';

export function readTextFile(path: string, maxBytes: number, follow: 'links' | 'no links'): Result<string> {
  const refuse = (code: FaultCode, problem: string) => fail(createFault(code, `${path}: ${problem}`));
  try {
    const bytes = readBounded(path, maxBytes, follow);
    if (bytes === 'folder') return refuse('config.unreadable', 'is a folder, expected a file');
    if (bytes === 'not a file') return refuse('config.unreadable', 'is not a regular file');
    if (bytes === 'too large') return refuse('config.too_large', `is larger than ${maxBytes} bytes`);
    if (!isUtf8(bytes)) return refuse('config.syntax', 'is not UTF-8 text');
    return ok(new TextDecoder().decode(bytes));
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT' || code === 'ENOTDIR') return refuse('config.missing', 'does not exist');
    return refuse('config.unreadable', READ_ERROR_REASONS.get(code ?? '') ?? message);
  }
}

const READ_ERROR_REASONS: ReadonlyMap<string, string> = new Map([
  ['EACCES', 'cannot be read by the user that Legion runs as'],
  ['EPERM', 'cannot be read by the user that Legion runs as'],
  ['ELOOP', 'is a symbolic link, which is not followed here'],
]);

const FOLDER_MODE = 0o700;
const WRITABLE_BY_OTHERS = 0o022;

/**
 * Reads a small JSON file in a state directory that only the operator may write, such as approvals
 * and consent. Returns undefined if there is no file. A file that cannot be trusted or parsed fails
 * with `code`.
 */
export function readPrivateRecord<S extends z.ZodType>(
  path: string,
  schema: S,
  maxBytes: number,
  code: FaultCode,
): Result<z.output<S> | undefined> {
  const refuseText = (problem: string) => fail(createFault(code, problem));
  const text = readTextFile(path, maxBytes, 'no links');
  if (!text.ok) return text.fault.code === 'config.missing' ? ok(undefined) : refuseText(text.fault.message);
  const mode = statSync(path, { throwIfNoEntry: false })?.mode ?? 0;
  if ((mode & WRITABLE_BY_OTHERS) !== 0) return refuseText(`${path}: other users can write to it`);
  const read = decode(schema, parseJson(text.value), path);
  return read.ok ? read : refuseText(read.fault.message);
}

/** When this returns, the record is on disk and readable only by the operator. */
export function writePrivateRecord(path: string, record: object, code: FaultCode): Result<void> {
  try {
    mkdirSync(dirname(path), { recursive: true, mode: FOLDER_MODE });
    writeDurablySync(path, `${JSON.stringify(record, undefined, 2)}\n`);
    return ok(undefined);
  } catch (error) {
    return fail(createFault(code, `${path}: ${(error as Error).message}`));
  }
}
