/** A text that is given on the command line, in a file, or through standard input. */

import { resolve } from 'node:path';
import type { Command, OptionValues } from '@commander-js/extra-typings';
import { readTextFile } from '../config/text-file.ts';
import { LegionError } from '../domain/fault.ts';
import type { CommandContext } from './command.ts';

/** Far beyond what a tracker takes; a mistaken pipe ends here and not in memory. */
const MOST_BYTES = 1_024 * 1_024;

type BodyOptions = {
  readonly body?: string;
  readonly bodyFile?: string;
};

export function addBodyOptions<Positionals extends unknown[], Options extends OptionValues>(
  command: Command<Positionals, Options>,
): Command<Positionals, Options & BodyOptions> {
  return command
    .option('--body <TEXT>', 'The text of the issue')
    .option(
      '--body-file <FILE>',
      'Read the text from a file, or from standard input with -',
    ) as unknown as Command<Positionals, Options & BodyOptions>;
}

/** Undefined where neither option was given. */
export async function readBody(
  { body, bodyFile }: BodyOptions,
  context: CommandContext,
): Promise<string | undefined> {
  if (body !== undefined && bodyFile !== undefined)
    throw new LegionError('usage.invalid', '--body and --body-file exclude each other');
  return bodyFile === undefined ? body : readGivenText('--body-file', bodyFile, context);
}

/** `file` is what the option names; `-` is standard input. */
export async function readGivenText(
  option: string,
  file: string,
  { cwd, stdin }: CommandContext,
): Promise<string> {
  if (file !== '-') return readGivenFile(option, resolve(cwd, file));
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

function readGivenFile(option: string, path: string): string {
  const text = readTextFile(path, MOST_BYTES, 'links');
  if (text.ok) return text.value;
  const { code, message } = text.fault;
  const problem = code === 'config.missing' ? `there is no file ${path}` : message;
  throw new LegionError('usage.file_unreadable', `${option}: ${problem}`);
}
