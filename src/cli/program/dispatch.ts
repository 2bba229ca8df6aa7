/**
 * Finds the command that a command line calls, parses its arguments with commander, and runs it or
 * prints its help.
 */

import { Command, CommanderError, type CommandUnknownOpts } from '@commander-js/extra-typings';
import { createFault, type Fault, LegionError } from '../../core/model/fault.ts';
import {
  type CliCommand,
  type CommandContext,
  type CommandGroup,
  collectValues,
  createHelpOption,
  type ParsedArgs,
} from './define-command.ts';

export interface CommandInvocation {
  readonly words: readonly string[];
  /** True for `legion help …`. */
  readonly wantsHelp: boolean;
}

interface FoundCommand {
  /** Words of the command, starting with `legion`. */
  readonly path: readonly [string, ...string[]];
  readonly node: CliCommand | CommandGroup;
  /** Words after the path. */
  readonly args: readonly string[];
}

/** Resolves to the exit code. */
export async function dispatchCommand(
  root: CommandGroup,
  { words, wantsHelp }: CommandInvocation,
  context: CommandContext,
): Promise<number> {
  const { path, node, args } = await findCommand(['legion'], root, words);
  const isGroup = 'members' in node;
  const command = prepareCommand(isGroup ? buildGroup(node, path) : node.build(), context);
  registerOnPath(command, path);
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

/**
 * Adds the group's members by name only, because help and spelling suggestions need nothing else.
 */
function buildGroup({ description, members }: CommandGroup, path: readonly string[]): CommandUnknownOpts {
  const group = new Command().description(description);
  for (const [name, { summary, heading, hidden }] of Object.entries(members)) {
    const member = group.command(name, { hidden: hidden === true }).summary(summary);
    if (heading !== undefined) member.helpGroup(`${heading}:`);
  }
  return group.addHelpText('after', `\nRun \`${path.join(' ')} COMMAND --help\` for details.`);
}

/** Registers only the commands on the path, because each additional one slows down every start. */
export function registerOnPath(command: CommandUnknownOpts, path: FoundCommand['path']): void {
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

/** Takes over two decisions from commander: where output goes, and when the process exits. */
export function prepareCommand(
  command: CommandUnknownOpts,
  { stdout }: Pick<CommandContext, 'stdout'>,
): CommandUnknownOpts {
  return command
    .exitOverride()
    .addHelpOption(createHelpOption())
    .helpCommand(false)
    .configureOutput({
      writeOut: (text) => stdout.write(text),
      // Prints nothing here, because the caller shows errors.
      writeErr: () => undefined,
    });
}

/**
 * Parses the arguments. Returns undefined after `--help`, which only prints the help. `path` is the
 * full command, such as `legion issue add`.
 */
export function parseArgs(
  command: CommandUnknownOpts,
  path: string,
  args: readonly string[],
  prepareArgs: CliCommand['prepareArgs'] = (words) => words,
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
  // Commander reports this code when a group is called without a subcommand. Its default there is
  // to print the help.
  if (error.code === 'commander.help')
    return `${path} needs a subcommand: ${command.commands.map((member) => member.name()).join(', ')}.`;
  const description = describeCommanderError(error);
  const takesText = command.registeredArguments.some(({ variadic }) => variadic);
  return error.code === 'commander.unknownOption' && takesText
    ? `${description} Put text that begins with a dash after --.`
    : description;
}

type ParsedOption = CommandUnknownOpts['options'][number];

/**
 * Returns the first mistake in the use of options. Needed because commander accepts `--status
 * --all` and `--title a --title b`.
 */
function findOptionMistake(command: CommandUnknownOpts, args: readonly string[]): string | undefined {
  const usedOptions = new Set<ParsedOption>();
  const end = args.indexOf('--');
  const words = end === -1 ? args : args.slice(0, end);
  for (let index = 0; index < words.length; index += 1) {
    const word = words[index] ?? '';
    const { name, isJoined } = readFlag(word);
    const option = command.options.find(({ short, long }) => name === long || name === short);
    if (option === undefined) continue;
    if (!option.required) {
      if (isJoined && word.startsWith('--')) return `${name} takes no value.`;
      continue;
    }
    if (usedOptions.has(option) && option.parseArg !== collectValues)
      return `${name} can be given only once.`;
    usedOptions.add(option);
    if (isJoined) continue;
    index += 1;
    if (words[index] === undefined || isFlag(words[index] ?? '')) return describeMissingValue(name, option);
  }
  return undefined;
}

function readFlag(word: string): { readonly name: string; readonly isJoined: boolean } {
  if (!isFlag(word)) return { name: '', isJoined: false };
  const name = word.startsWith('--') ? (word.split('=', 1)[0] ?? word) : word.slice(0, 2);
  return { name, isJoined: name !== word };
}

/**
 * Strips the value of an unknown option, which may be a secret, before commander quotes it in an
 * error.
 */
function hideUnknownValues(command: CommandUnknownOpts, args: readonly string[]): readonly string[] {
  const end = args.indexOf('--');
  return args.map((word, index) => {
    if (!word.startsWith('--') || (end !== -1 && index >= end)) return word;
    const { name } = readFlag(word);
    return command.options.some(({ long }) => long === name) ? word : name;
  });
}

/** A single dash is not a flag. It means standard input. */
function isFlag(word: string): boolean {
  return word.length > 1 && word.startsWith('-');
}

function describeMissingValue(name: string, { flags }: ParsedOption): string {
  const [, placeholder = 'VALUE'] = /<(.*)>/.exec(flags) ?? [];
  return `${name} needs a value: ${name} ${placeholder}. Write a value that begins with a dash as ${name}=VALUE.`;
}

/** Enough to recognise the input. Quoting the rest of a long pasted text would not help. */
const MAX_MESSAGE_CHARS = 300;

/** A `usage.invalid` error whose next step points to the help of the command. */
class UsageError extends LegionError {
  override readonly fault: Fault;

  /** `path` is the full command, such as `legion issue add`. */
  constructor(path: string, message: string, options: ErrorOptions = {}) {
    super('usage.invalid', message, options);
    this.fault = {
      ...createFault('usage.invalid', message),
      next: `Run \`${path} --help\` to see how to use it.`,
    };
  }
}

/**
 * If the command itself threw a usage error, adds the same next step to it. Returns other errors
 * unchanged.
 */
function toUsageError(error: unknown, path: string): unknown {
  if (!(error instanceof LegionError) || error instanceof UsageError) return error;
  return error.code === 'usage.invalid' ? new UsageError(path, error.message, { cause: error }) : error;
}

function describeCommanderError({ message }: CommanderError): string {
  const [problem = '', suggestion = ''] = message.replace(/^error: /, '').split(/\n\((?=Did you mean )/);
  const sentence = `${problem.charAt(0).toUpperCase()}${problem.slice(1)}`.replace(/\.?$/, '.');
  const text = escapeControls(`${sentence} ${suggestion.replace(/\)$/, '')}`.trim());
  return text.length <= MAX_MESSAGE_CHARS ? text : `${text.slice(0, MAX_MESSAGE_CHARS)}…`;
}

/**
 * Escapes typed text, so that it cannot move the cursor or look like a line that Legion printed.
 */
function escapeControls(text: string): string {
  return text.replace(/[^\x20-\x7e]/g, (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`);
}
