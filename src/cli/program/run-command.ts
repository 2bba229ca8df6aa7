/** Finds the command that a command line names, and performs it or prints its help. */
import { nearest } from '../../config/nearest.ts';
import { LegionError } from '../../domain/fault.ts';
import { shown } from '../../domain/shown.ts';
import { AS_WORKER } from '../../protocol/worker-environment.ts';
import type { Command, CommandContext } from '../command.ts';
import { overview, shownNames } from '../help.ts';
import { version } from '../version.ts';
import { COMMANDS } from './command-table.ts';
import { isWorkerEnvironment, refuseOperatorCommand, WORKER_COMMANDS } from './worker-role.ts';

/** Resolves to the exit code. */
export async function runCommand(given: readonly string[], context: CommandContext): Promise<number> {
  const asWorker = given[0] === AS_WORKER;
  const role = asWorker || isWorkerEnvironment(context.env) ? 'worker' : 'operator';
  const argv = asWorker ? given.slice(1) : given;
  const [first, ...rest] = argv;
  const askedForHelp = first === undefined || first === 'help' || first === '--help' || first === '-h';
  if (first === '--version' || first === '-v') return print(`${version()}\n`, context);
  const [name, ...args] = askedForHelp ? rest : argv;
  if (name === undefined) return print(overview(commandsOf(role)), context);

  const found = await find(name, args, role);
  if (askedForHelp || optionsIn(found.args).some((arg) => arg === '--help' || arg === '-h')) {
    return print(found.command.help, context);
  }
  return (await found.command.perform(found.args, context)) ?? 0;
}

interface Found {
  readonly command: Command;
  readonly args: readonly string[];
}

type Role = 'operator' | 'worker';

function commandsOf(role: Role): typeof COMMANDS {
  if (role === 'operator') return COMMANDS;
  return Object.fromEntries(Object.entries(COMMANDS).filter(([name]) => WORKER_COMMANDS.includes(name)));
}

async function find(name: string, args: readonly string[], role: Role): Promise<Found> {
  const entry = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined;
  if (entry === undefined) {
    const meant = nearest(name, shownNames(COMMANDS));
    const hint = meant === undefined ? '' : `; did you mean ${shown(meant)}?`;
    throw new LegionError('usage.invalid', `${shown(name)} is not a command of legion${hint}`);
  }
  if (role === 'operator') return innermost(await entry.load(), args);
  if (!WORKER_COMMANDS.includes(name)) return refuseOperatorCommand(name, args);
  // A worker reads and writes handoffs of its own issue, with its own token.
  if (name === 'handoff') return find('worker', [name, ...args], role);
  return innermost(await entry.load(), args);
}

/** `legion issue add …` is the command `add`. */
function innermost(command: Command, args: readonly string[]): Found {
  const [first = '', ...rest] = args;
  const below = Object.hasOwn(command.subcommands ?? {}, first) ? command.subcommands?.[first] : undefined;
  return below === undefined ? { command, args } : innermost(below, rest);
}

/** What stands after `--` is text, whatever it looks like. */
export function optionsIn(args: readonly string[]): readonly string[] {
  const end = args.indexOf('--');
  return end === -1 ? args : args.slice(0, end);
}

function print(text: string, { stdout }: CommandContext): number {
  stdout.write(text);
  return 0;
}
