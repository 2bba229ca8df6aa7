/** Reads a message a worker may have forged: a plain file of bounded size, or nothing. */
import { constants } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { MESSAGE_MOST_BYTES } from '../../protocol/outbox.ts';

/** Bytes: the message itself and, around it, its id, its token and its sender. */
const FILE_MOST_BYTES = MESSAGE_MOST_BYTES + 16 * 1_024;

/** A link could lead anywhere, and a pipe would let us wait for ever. */
const FLAGS = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;

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

export async function readEntryFile(path: string): Promise<EntryFile> {
  let file: FileHandle;
  try {
    file = await open(path, FLAGS);
  } catch (error) {
    const { code = '' } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT') return { found: 'gone' };
    const why = BROKEN[code];
    if (why === undefined) throw error;
    return { found: 'broken', why };
  }
  try {
    return await readWhole(file);
  } finally {
    await file.close();
  }
}

async function readWhole(file: FileHandle): Promise<EntryFile> {
  if (!(await file.stat()).isFile()) return { found: 'broken', why: 'it is no file' };
  // One byte more than allowed is asked for, because a file can grow after its size was looked at.
  const buffer = Buffer.alloc(FILE_MOST_BYTES + 1);
  let size = 0;
  for (;;) {
    const { bytesRead } = await file.read(buffer, size, buffer.length - size);
    size += bytesRead;
    if (bytesRead === 0 || size === buffer.length) break;
  }
  if (size > FILE_MOST_BYTES) return { found: 'broken', why: `it is larger than ${FILE_MOST_BYTES} bytes` };
  return { found: 'text', text: buffer.toString('utf8', 0, size) };
}
