/** The `legion` command: reads the command line, calls one command, returns its exit code. */
import { nearest } from '../config/nearest.ts';
import { LegionError } from '../domain/fault.ts';
import { shown } from '../domain/shown.ts';
import type { Command, CommandContext } from './command.ts';
import { COMMANDS } from './command-table.ts';
import { keepCompiled } from './compile-cache.ts';
import { overview, shownNames } from './help.ts';
import { isAbort, listenForSignals } from './interruption.ts';
import { printError } from './present/error.ts';
import { version } from './version.ts';

/** Documented in docs/cli.md: 0 done, 1 the command failed, 2 the command line was not understood. */
const EXIT = { done: 0, failed: 1, usage: 2 } as const;

export async function main(argv: readonly string[]): Promise<number> {
  keepCompiled(process.env);
  const interruption = listenForSignals();
  // A reader that went away, as in `legion logs X | head`, is an end and no defect.
  process.stdout.on('error', interruption.outputClosed);
  const context: CommandContext = {
    env: { ...process.env },
    cwd: process.cwd(),
    stdin: process.stdin,
    stdout: process.stdout,
    stderr: process.stderr,
    signal: interruption.signal,
  };
  try {
    return await run(argv, context);
  } catch (error) {
    if (isAbort(error, interruption.signal)) return interruption.exitCode() ?? EXIT.failed;
    printError(error, options(argv).includes('--json'));
    return error instanceof LegionError && error.code === 'usage.invalid' ? EXIT.usage : EXIT.failed;
  } finally {
    interruption.forget();
  }
}

async function run(argv: readonly string[], context: CommandContext): Promise<number> {
  const [first, ...rest] = argv;
  const askedForHelp = first === undefined || first === 'help' || first === '--help' || first === '-h';
  if (first === '--version' || first === '-v') return print(`${version()}\n`, context);
  const [name, ...args] = askedForHelp ? rest : argv;
  if (name === undefined) return print(overview(COMMANDS), context);

  const found = await find(name, args);
  if (askedForHelp || options(found.args).some((arg) => arg === '--help' || arg === '-h')) {
    return print(found.command.help, context);
  }
  return (await found.command.perform(found.args, context)) ?? EXIT.done;
}

async function find(
  name: string,
  args: readonly string[],
): Promise<{ command: Command; args: readonly string[] }> {
  const entry = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined;
  if (entry === undefined) {
    const meant = nearest(name, shownNames(COMMANDS));
    const hint = meant === undefined ? '' : `; did you mean ${shown(meant)}?`;
    throw new LegionError('usage.invalid', `${shown(name)} is not a command of legion${hint}`);
  }
  const command = await entry.load();
  const [first = '', ...rest] = args;
  const below = Object.hasOwn(command.subcommands ?? {}, first) ? command.subcommands?.[first] : undefined;
  return below === undefined ? { command, args } : { command: below, args: rest };
}

/** What stands after `--` is text, whatever it looks like. */
function options(args: readonly string[]): readonly string[] {
  const end = args.indexOf('--');
  return end === -1 ? args : args.slice(0, end);
}

function print(text: string, { stdout }: CommandContext): number {
  stdout.write(text);
  return EXIT.done;
}
