/** Parses the arguments of a command without running it. */

import { Writable } from 'node:stream';
import type { CommandUnknownOpts } from '@commander-js/extra-typings';
import type { CliCommand, ParsedArgs } from '../../../src/cli/program/define-command.ts';
import { parseArgs, prepareCommand, registerOnPath } from '../../../src/cli/program/dispatch.ts';

export interface ParsedLine extends ParsedArgs {
  readonly command: CommandUnknownOpts;
}

/** `path` contains the words of the command after `legion`. */
export function parseLine(node: CliCommand, path: readonly string[], args: readonly string[]): ParsedLine {
  const stdout = new Writable({ write: (_chunk, _encoding, done) => done() });
  const command = prepareCommand(node.build(), { stdout });
  registerOnPath(command, ['legion', ...path]);
  const parsed = parseArgs(command, ['legion', ...path].join(' '), args, node.prepareArgs);
  if (parsed === undefined) throw new Error(`${args.join(' ')} asks for help`);
  return { ...parsed, command };
}
