/** One command of `legion`, and what it is given of the world. */
import type { Readable, Writable } from 'node:stream';

export type Environment = Readonly<Record<string, string | undefined>>;

export interface CommandContext {
  readonly env: Environment;
  readonly cwd: string;
  readonly stdin: Readable & { readonly isTTY?: boolean };
  readonly stdout: Writable & { readonly isTTY?: boolean; readonly columns?: number; readonly rows?: number };
  readonly stderr: Writable & { readonly isTTY?: boolean };
  /** Aborted by the first SIGINT, SIGTERM or SIGHUP; a command that has something to put in order does so and returns. */
  readonly signal: AbortSignal;
}

export interface Command {
  readonly help: string;
  /** Resolves to an exit code where 0 would not be the truth; rejects with a `LegionError` that is shown. */
  perform(args: readonly string[], context: CommandContext): Promise<number | undefined>;
  /** Where the first argument names one of these, that one is meant: `legion issue add`. */
  readonly subcommands?: Readonly<Record<string, Command>>;
}
