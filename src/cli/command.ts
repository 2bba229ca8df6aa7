/** What a command of `legion` is, and what it gets from the process that runs it. */
import type { Readable, Writable } from 'node:stream';
import type { CommandUnknownOpts, OptionValues } from '@commander-js/extra-typings';
import type { Environment } from '../domain/environment.ts';

export interface CommandContext {
  readonly env: Environment;
  readonly cwd: string;
  readonly stdin: Readable & { readonly isTTY?: boolean };
  readonly stdout: Writable & { readonly isTTY?: boolean; readonly columns?: number; readonly rows?: number };
  readonly stderr: Writable & { readonly isTTY?: boolean; readonly columns?: number };
  /** Aborted by the first SIGINT, SIGTERM or SIGHUP; a command that has to clean up does so and returns. */
  readonly signal: AbortSignal;
}

/** What a command line contained. */
export interface ParsedArgs<
  Positionals extends unknown[] = unknown[],
  Options extends OptionValues = OptionValues,
> {
  readonly positionals: Positionals;
  readonly options: Options;
}

export interface CliCommand {
  /** A new one for each command line, because commander keeps the values in it. */
  readonly build: () => CommandUnknownOpts;
  /** Changes the arguments before they are parsed. */
  readonly prepareArgs?: ((args: readonly string[]) => readonly string[]) | undefined;
  /** Resolves to an exit code unless it is 0; rejects with a `LegionError` that is shown. */
  readonly run: (parsed: ParsedArgs, context: CommandContext) => Promise<number | undefined>;
}

/** A command that only contains other commands, such as `legion issue`. */
export interface CommandGroup {
  readonly description: string;
  readonly members: CommandTable;
}

export interface CommandEntry {
  /** One line for the list of commands. */
  readonly summary: string;
  /** The heading under which the list shows it. */
  readonly heading?: string | undefined;
  /** For programs: works like the others, but no help lists it. */
  readonly hidden?: true | undefined;
  /** Imports only this command: `legion worker` must not wait for a database. */
  readonly load: () => Promise<CliCommand | CommandGroup>;
}

export type CommandTable = Readonly<Record<string, CommandEntry>>;
