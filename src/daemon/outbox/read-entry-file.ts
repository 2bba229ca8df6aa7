/** Reads a message a worker may have forged: a plain file of bounded size, or nothing. */
import { readBounded } from '../../lib/fs/read-bounded.ts';
import { MESSAGE_MOST_BYTES } from '../../protocol/outbox.ts';

/** Bytes: the message itself and, around it, its id, its token and its sender. */
const FILE_MOST_BYTES = MESSAGE_MOST_BYTES + 16 * 1_024;

export type EntryFile =
  | { readonly found: 'text'; readonly text: string }
  | { readonly found: 'gone' }
  | { readonly found: 'broken'; readonly why: string };

/** What opening refuses because of the file itself; everything else is our own trouble, and rejects. */
const BROKEN: Readonly<Record<string, string>> = {
  ELOOP: 'it is a link',
  EACCES: 'it may not be read',
  ENXIO: 'it is no file',
};

export function readEntryFile(path: string): EntryFile {
  try {
    const bytes = readBounded(path, FILE_MOST_BYTES, 'no links');
    if (bytes === 'too large') return { found: 'broken', why: `it is larger than ${FILE_MOST_BYTES} bytes` };
    if (typeof bytes === 'string') return { found: 'broken', why: 'it is no file' };
    return { found: 'text', text: bytes.toString() };
  } catch (error) {
    const { code = '' } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT') return { found: 'gone' };
    const why = BROKEN[code];
    if (why === undefined) throw error;
    return { found: 'broken', why };
  }
}
