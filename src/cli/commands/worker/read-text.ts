/** Reads a text from a file or from standard input, bounded in size. */
import { createReadStream } from 'node:fs';
import { resolve } from 'node:path';
import { addAbortSignal } from 'node:stream';
import { LegionError } from '../../../domain/fault.ts';
import { MESSAGE_MOST_BYTES } from '../../../protocol/outbox.ts';
import type { CommandContext } from '../../command.ts';

/** `path` is what the option names; `-` is standard input. */
export async function readText(
  option: string,
  path: string,
  { cwd, stdin, signal }: CommandContext,
): Promise<string> {
  const file = path === '-' ? undefined : resolve(cwd, path);
  const stream = file === undefined ? stdin : createReadStream(file);
  try {
    return await collect(addAbortSignal(signal, stream));
  } catch (error) {
    if (error instanceof LegionError || signal.aborted) throw error;
    throw toFileError(error, option, file ?? 'standard input');
  }
}

function toFileError(error: unknown, option: string, source: string): LegionError {
  const { code, message } = error as NodeJS.ErrnoException;
  if (code === 'ENOENT' || code === 'ENOTDIR')
    return new LegionError('usage.file_unreadable', `${option}: there is no file ${source}`);
  const problem = `${option}: ${source}: ${message}`;
  // Only the system's errors are about the file; the others are about its content.
  return new LegionError(isSystemError(error) ? 'usage.file_unreadable' : 'input.invalid', problem);
}

function isSystemError(error: unknown): boolean {
  return (error as NodeJS.ErrnoException).syscall !== undefined;
}

async function collect(stream: AsyncIterable<Buffer | string>): Promise<string> {
  const parts: Buffer[] = [];
  let size = 0;
  for await (const part of stream) {
    const bytes = Buffer.from(part);
    size += bytes.length;
    if (size > MESSAGE_MOST_BYTES)
      throw new LegionError('http.body_too_large', `the text has more than ${MESSAGE_MOST_BYTES} bytes`);
    parts.push(bytes);
  }
  return new TextDecoder('utf-8', { fatal: true }).decode(Buffer.concat(parts));
}
