/** Reads text from the command line, a file or standard input. */
import { createReadStream } from 'node:fs';
import { resolve } from 'node:path';
import { addAbortSignal } from 'node:stream';
import type { Command, OptionValues } from '@commander-js/extra-typings';
import { LegionError } from '../core/model/fault.ts';
import type { CommandContext } from './program/define-command.ts';

/**
 * Far above any tracker's limit. If a large input is piped in by mistake, reading stops before the
 * input fills the memory.
 */
const MAX_TEXT_BYTES = 1_024 * 1_024;

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

/** Returns undefined if neither option is given. */
export async function readBody(
  { body, bodyFile }: BodyOptions,
  context: CommandContext,
): Promise<string | undefined> {
  if (body !== undefined && bodyFile !== undefined)
    throw new LegionError('usage.invalid', '--body and --body-file cannot be combined.');
  return bodyFile === undefined ? body : readGivenText('--body-file', bodyFile, context);
}

/** `path` is the option's value. `-` means standard input. */
export async function readGivenText(
  option: string,
  path: string,
  { cwd, stdin, signal }: CommandContext,
): Promise<string> {
  const file = path === '-' ? undefined : resolve(cwd, path);
  const stream = file === undefined ? stdin : createReadStream(file);
  try {
    return await collectText(addAbortSignal(signal, stream));
  } catch (error) {
    if (error instanceof LegionError || signal.aborted) throw error;
    throw toFileError(error, option, file ?? 'standard input');
  }
}

function toFileError(error: unknown, option: string, source: string): LegionError {
  const { code, message } = error as NodeJS.ErrnoException;
  if (code === 'ENOENT' || code === 'ENOTDIR')
    return new LegionError('usage.file_unreadable', `${option}: the file ${source} does not exist`);
  const problem = `${option}: ${source}: ${code === 'EISDIR' ? 'is a folder, expected a file' : message}`;
  // A system error is about the file itself. Any other error is about the file's content.
  return new LegionError(isSystemError(error) ? 'usage.file_unreadable' : 'input.invalid', problem);
}

function isSystemError(error: unknown): boolean {
  return (error as NodeJS.ErrnoException).syscall !== undefined;
}

async function collectText(stream: AsyncIterable<Buffer | string>): Promise<string> {
  const parts: Buffer[] = [];
  let size = 0;
  for await (const part of stream) {
    const bytes = Buffer.from(part);
    size += bytes.length;
    if (size > MAX_TEXT_BYTES)
      throw new LegionError('http.body_too_large', `The text is longer than ${MAX_TEXT_BYTES} bytes.`);
    parts.push(bytes);
  }
  return new TextDecoder('utf-8', { fatal: true }).decode(Buffer.concat(parts));
}
