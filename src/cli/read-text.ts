/** A text that is given on the command line, in a file, or through standard input. */
import { resolve } from 'node:path';
import { readTextFile } from '../config/text-file.ts';
import { LegionError } from '../domain/fault.ts';
import type { CommandContext } from './command.ts';
import { unwrap } from './place.ts';

/** Far beyond what a tracker takes; a mistaken pipe ends here and not in memory. */
const MOST_BYTES = 1_024 * 1_024;

export const BODY_OPTIONS = {
  body: { value: 'TEXT', says: 'its text' },
  'body-file': { value: 'FILE', says: 'its text from a file; - for standard input' },
} as const;

/** Undefined where neither was given. */
export async function bodyGiven(
  options: { readonly body: string | undefined; readonly 'body-file': string | undefined },
  context: CommandContext,
): Promise<string | undefined> {
  const { body, 'body-file': file } = options;
  if (body !== undefined && file !== undefined) {
    throw new LegionError('usage.invalid', '--body and --body-file exclude each other');
  }
  return file === undefined ? body : textFrom(file, context);
}

export async function textFrom(file: string, { cwd, stdin }: CommandContext): Promise<string> {
  if (file !== '-') return unwrap(readTextFile(resolve(cwd, file), MOST_BYTES, 'links'));
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of stdin) {
    chunks.push(Buffer.from(chunk as Buffer));
    size += (chunk as Buffer).length;
    if (size > MOST_BYTES) {
      throw new LegionError('usage.invalid', `standard input is longer than ${MOST_BYTES} bytes`);
    }
  }
  return Buffer.concat(chunks).toString();
}
