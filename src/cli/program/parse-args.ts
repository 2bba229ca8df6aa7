/** Parses a command line with commander and turns each of its complaints into a coded error. */
import { CommanderError, type CommandUnknownOpts } from '@commander-js/extra-typings';
import type { CliCommand, CommandContext, ParsedArgs } from '../command.ts';
import { findOptionMistake, hideUnknownValues } from './check-options.ts';
import { newHelpOption } from './options.ts';
import { describeCommanderError, toUsageError, UsageError } from './usage-error.ts';

/** Takes from commander what it must not decide itself: where output goes, and when the process exits. */
export function configureCommand(
  command: CommandUnknownOpts,
  { stdout }: Pick<CommandContext, 'stdout'>,
): CommandUnknownOpts {
  return command
    .exitOverride()
    .addHelpOption(newHelpOption())
    .helpCommand(false)
    .configureOutput({
      writeOut: (text) => stdout.write(text),
      // The caller shows errors; commander only reports them.
      writeErr: () => undefined,
    });
}

/** Undefined after `--help`, which prints the help. `path`: the words of the command, such as `legion issue add`. */
export function parseArgs(
  command: CommandUnknownOpts,
  path: string,
  args: readonly string[],
  prepareArgs: CliCommand['prepareArgs'] = (given) => given,
): ParsedArgs | undefined {
  const prepared = prepareArgs(args);
  const mistake = findOptionMistake(command, prepared);
  if (mistake !== undefined) throw new UsageError(path, mistake);
  try {
    command.parse(hideUnknownValues(command, prepared), { from: 'user' });
    return { positionals: command.processedArgs, options: command.opts() };
  } catch (error) {
    if (!(error instanceof CommanderError)) throw toUsageError(error, path);
    if (error.exitCode === 0) return undefined;
    throw new UsageError(path, describeMistake(error, command, path), { cause: error });
  }
}

function describeMistake(error: CommanderError, command: CommandUnknownOpts, path: string): string {
  // Commander shows the help where the command of a group is missing.
  if (error.code === 'commander.help')
    return `${path} needs a command: ${command.commands.map((member) => member.name()).join(', ')}.`;
  const description = describeCommanderError(error);
  const takesText = command.registeredArguments.some(({ variadic }) => variadic);
  return error.code === 'commander.unknownOption' && takesText
    ? `${description} Text that begins with a dash goes behind --.`
    : description;
}
