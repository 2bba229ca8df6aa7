/**
 * Declares a command: commander's description of its command line, and the function to run. Also
 * defines the options, arguments and examples that several commands share.
 */

import type { Readable, Writable } from 'node:stream';
import { styleText } from 'node:util';
import {
  type Command,
  type CommandUnknownOpts,
  Option,
  type OptionValues,
} from '@commander-js/extra-typings';
import type { EnvironmentVariables } from '../../core/model/environment.ts';
import { LegionError, quoteText } from '../../core/model/fault.ts';

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
    // The cast is safe, because commander infers the types of the parsed values from the same
    // description.
    run: (parsed, context) => run(parsed as ParsedArgs<Positionals, Options>, context),
  };
}

/** The environment that a command runs in: streams, variables, directory and signal. */
export interface CommandContext {
  readonly env: EnvironmentVariables;
  readonly cwd: string;
  readonly stdin: Readable & { readonly isTTY?: boolean };
  readonly stdout: Writable & { readonly isTTY?: boolean; readonly columns?: number; readonly rows?: number };
  readonly stderr: Writable & { readonly isTTY?: boolean; readonly columns?: number };
  /** Aborted by the first SIGINT, SIGTERM or SIGHUP. The command then cleans up and returns. */
  readonly signal: AbortSignal;
}

/** Arguments and options of one command line. */
export interface ParsedArgs<
  Positionals extends unknown[] = unknown[],
  Options extends OptionValues = OptionValues,
> {
  readonly positionals: Positionals;
  readonly options: Options;
}

export interface CliCommand {
  /**
   * Builds a new commander command for each command line, because commander stores parsed values in
   * it.
   */
  readonly build: () => CommandUnknownOpts;
  /** Changes the arguments before they are parsed. */
  readonly prepareArgs?: ((args: readonly string[]) => readonly string[]) | undefined;
  /**
   * Runs the command. Resolves to the exit code, or to undefined, which means 0. Rejects with a
   * `LegionError`, which is shown to the user.
   */
  readonly run: (parsed: ParsedArgs, context: CommandContext) => Promise<number | undefined>;
}

/** A command that only contains other commands, such as `legion issue`. */
export interface CommandGroup {
  readonly description: string;
  readonly members: CommandTable;
}

export interface CommandEntry {
  /** One line for the command list. */
  readonly summary: string;
  /** Heading in the command list. */
  readonly heading?: string | undefined;
  /** Set for commands that only programs call. They work, but help does not list them. */
  readonly hidden?: true | undefined;
  /**
   * Imports only this command, so that `legion worker` does not have to wait until a database
   * library is loaded.
   */
  readonly load: () => Promise<CliCommand | CommandGroup>;
}

export type CommandTable = Readonly<Record<string, CommandEntry>>;

const COMMON_HEADING = 'Common options:';
/**
 * A type alias instead of an interface, because commander's option types have an index signature.
 */
export type JsonOption = {
  readonly json?: true;
};

/** Options that select the legion of a command. */
export type LocationOptions = {
  readonly legion?: string;
  readonly config?: string;
};

export function addJsonOption<Positionals extends unknown[], Options extends OptionValues>(
  command: Command<Positionals, Options>,
): Command<Positionals, Options & JsonOption> {
  const json = new Option('--json', 'Print JSON instead of text').helpGroup(COMMON_HEADING);
  return command.addOption(json) as unknown as Command<Positionals, Options & JsonOption>;
}

export function addLocationOptions<Positionals extends unknown[], Options extends OptionValues>(
  command: Command<Positionals, Options>,
): Command<Positionals, Options & LocationOptions> {
  const legion = new Option('--legion <NAME>', 'Use this legion instead of this folder’s legion');
  const config = new Option('--config <FILE>', 'Use this legion.yaml (default: here or in a parent folder)');
  return command
    .addOption(legion.helpGroup(COMMON_HEADING))
    .addOption(config.helpGroup(COMMON_HEADING)) as unknown as Command<
    Positionals,
    Options & LocationOptions
  >;
}

export function createHelpOption(): Option {
  return new Option('-h, --help', 'Show this help').helpGroup(COMMON_HEADING) as Option;
}

/**
 * Collects the values of an option that may be repeated. Commander's own variadic options would
 * also take the arguments that follow.
 */
export function collectValues(value: string, previous: readonly string[]): readonly string[] {
  return [...previous, value];
}

/** Beyond 15 digits a number is no longer exact. */
const WHOLE_NUMBER = /^\d{1,15}$/;

export function parseWholeNumber(option: string, min = 0): (text: string) => number {
  return (text) => {
    const number = WHOLE_NUMBER.test(text) ? Number(text) : -1;
    if (number >= min) return number;
    throw new LegionError(
      'usage.invalid',
      `${option} takes a whole number of at least ${min}, got ${quoteText(text)}`,
    );
  };
}

/** Returns the flag for commander's name of an option: `--dry-run` for `dryRun`. */
export function toFlag(name: string): string {
  return `--${name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
}

/**
 * Returns text for `addHelpText('after', …)`. Each line is a command line that a person could type.
 */
export function renderExamples(...lines: readonly string[]): string {
  return ['', styleText('bold', 'Examples:'), ...lines.map((line) => `  ${line}`)].join('\n');
}

export const ISSUE_HELP = 'Id of the issue, such as SHOP-1';
export const MODE_HELP =
  'Mode of the worker, such as implement (default: the running worker, or the last one)';
