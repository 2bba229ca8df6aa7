/** Finds the command that the words of a command line name, and runs it or prints its help. */
import { Command, type CommandUnknownOpts } from '@commander-js/extra-typings';
import type { CliCommand, CommandContext, CommandGroup } from '../command.ts';
import { configureCommand, parseArgs } from './parse-args.ts';
import { toUsageError } from './usage-error.ts';

export interface Invocation {
  readonly words: readonly string[];
  /** `legion help …` */
  readonly wantsHelp: boolean;
}

interface FoundCommand {
  /** From `legion` on. */
  readonly path: readonly [string, ...string[]];
  readonly node: CliCommand | CommandGroup;
  /** The words behind the path. */
  readonly args: readonly string[];
}

/** Resolves to the exit code. */
export async function dispatch(
  root: CommandGroup,
  { words, wantsHelp }: Invocation,
  context: CommandContext,
): Promise<number> {
  const { path, node, args } = await findCommand(['legion'], root, words);
  const isGroup = 'members' in node;
  const command = configureCommand(isGroup ? buildGroup(node, path) : node.build(), context);
  attachToPath(command, path);
  const showsHelp = wantsHelp && (!isGroup || args.length === 0);
  if (showsHelp || args.includes('--help') || args.includes('-h'))
    (await import('./help.ts')).configureHelp(command, context);
  if (showsHelp) {
    command.outputHelp();
    return 0;
  }
  const parsed = parseArgs(command, path.join(' '), args, isGroup ? undefined : node.prepareArgs);
  if (parsed === undefined || isGroup) return 0;
  try {
    return (await node.run(parsed, context)) ?? 0;
  } catch (error) {
    throw toUsageError(error, path.join(' '));
  }
}

export async function findCommand(
  path: FoundCommand['path'],
  node: CliCommand | CommandGroup,
  args: readonly string[],
): Promise<FoundCommand> {
  const [word = '', ...rest] = args;
  const entry = 'members' in node && Object.hasOwn(node.members, word) ? node.members[word] : undefined;
  return entry === undefined ? { path, node, args } : findCommand([...path, word], await entry.load(), rest);
}

/** With its members by name only: enough for its help, and for a suggestion where a name is misspelt. */
function buildGroup({ description, members }: CommandGroup, path: readonly string[]): CommandUnknownOpts {
  const group = new Command().description(description);
  for (const [name, { summary, heading, hidden }] of Object.entries(members)) {
    const member = group.command(name, { hidden: hidden === true }).summary(summary);
    if (heading !== undefined) member.helpGroup(`${heading}:`);
  }
  return group.addHelpText('after', `\nRun \`${path.join(' ')} COMMAND --help\` for details.`);
}

/** Registers only the commands on the path: each one more would cost time at every start. */
export function attachToPath(command: CommandUnknownOpts, path: FoundCommand['path']): void {
  const [root, ...others] = path;
  const last = others.pop();
  if (last === undefined) {
    command.name(root);
    return;
  }
  const parent = others.reduce<CommandUnknownOpts>(
    (ancestor, word) => ancestor.command(word),
    new Command(root),
  );
  parent.addCommand(command.name(last));
}
