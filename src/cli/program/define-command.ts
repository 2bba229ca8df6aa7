/** Declares a command: commander's description of its command line, and the function that it runs. */
import type { Command, OptionValues } from '@commander-js/extra-typings';
import type { CliCommand, CommandContext, ParsedArgs } from '../command.ts';

export type RunCommand<Positionals extends unknown[], Options extends OptionValues> = (
  parsed: ParsedArgs<Positionals, Options>,
  context: CommandContext,
) => Promise<number | undefined>;

export function defineCommand<Positionals extends unknown[], Options extends OptionValues>(
  build: () => Command<Positionals, Options>,
  run: RunCommand<Positionals, Options>,
  prepareArgs?: CliCommand['prepareArgs'],
): CliCommand {
  return {
    build,
    prepareArgs,
    // What commander parses has the types that it infers from the same description.
    run: (parsed, context) => run(parsed as ParsedArgs<Positionals, Options>, context),
  };
}
