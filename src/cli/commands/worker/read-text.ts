/** Reads a text from a file or from standard input, bounded in size. */
import { createReadStream } from 'node:fs';
import { resolve } from 'node:path';
import { addAbortSignal } from 'node:stream';
import { LegionError } from '../../../domain/fault.ts';
import { MESSAGE_MOST_BYTES } from '../../../protocol/outbox.ts';
import type { CommandContext } from '../../command.ts';

export async function readText(path: string, { cwd, stdin, signal }: CommandContext): Promise<string> {
  const stream = path === '-' ? stdin : createReadStream(resolve(cwd, path));
  try {
    return await collect(addAbortSignal(signal, stream));
  } catch (error) {
    if (error instanceof LegionError || signal.aborted) throw error;
    throw new LegionError(
      'input.invalid',
      `${path}: ${error instanceof Error ? error.message : String(error)}`,
    );
  }
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
