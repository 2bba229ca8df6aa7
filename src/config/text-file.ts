/** Reads a small text file whole, or says with a code why it cannot. */
import { isUtf8 } from 'node:buffer';
import { type FaultCode, failed, fault, ok, type Result } from '../core/model/fault.ts';
import { readBounded } from '../lib/fs/read-bounded.ts';

export function readTextFile(path: string, mostBytes: number, follow: 'links' | 'no links'): Result<string> {
  const refuse = (code: FaultCode, says: string) => failed(fault(code, `${path}: ${says}`));
  try {
    const bytes = readBounded(path, mostBytes, follow);
    if (bytes === 'folder') return refuse('config.unreadable', 'is a folder, expected a file');
    if (bytes === 'not a file') return refuse('config.unreadable', 'is not an ordinary file');
    if (bytes === 'too large') return refuse('config.too_large', `is larger than ${mostBytes} bytes`);
    if (!isUtf8(bytes)) return refuse('config.syntax', 'is not UTF-8 text');
    return ok(new TextDecoder().decode(bytes));
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT' || code === 'ENOTDIR') return refuse('config.missing', 'is not there');
    return refuse('config.unreadable', REASONS.get(code ?? '') ?? message);
  }
}

const REASONS: ReadonlyMap<string, string> = new Map([
  ['EACCES', 'may not be read by the user Legion runs as'],
  ['EPERM', 'may not be read by the user Legion runs as'],
  ['ELOOP', 'is a symbolic link, which is not followed here'],
]);
