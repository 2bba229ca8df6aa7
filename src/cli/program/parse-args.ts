/** Parses a command line with commander and turns each of its complaints into a coded error. */
import { CommanderError, type CommandUnknownOpts } from '@commander-js/extra-typings';
import type { CliCommand, CommandContext, ParsedArgs } from '../command.ts';
import { collectValues, newHelpOption } from './options.ts';
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

/** Checks how options are used before commander parses them: it accepts `--status --all` and `--title a --title b`. */
type ParsedOption = CommandUnknownOpts['options'][number];

/** The first mistake, or undefined. */
function findOptionMistake(command: CommandUnknownOpts, args: readonly string[]): string | undefined {
  const seen = new Set<ParsedOption>();
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
    if (seen.has(option) && option.parseArg !== collectValues) return `${name} can be given only once.`;
    seen.add(option);
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

/** An unknown option loses its value, which may be a secret, before commander quotes it in an error. */
function hideUnknownValues(command: CommandUnknownOpts, args: readonly string[]): readonly string[] {
  const end = args.indexOf('--');
  return args.map((word, index) => {
    if (!word.startsWith('--') || (end !== -1 && index >= end)) return word;
    const { name } = readFlag(word);
    return command.options.some(({ long }) => long === name) ? word : name;
  });
}

/** A single dash means standard input. */
function isFlag(word: string): boolean {
  return word.length > 1 && word.startsWith('-');
}

function describeMissingValue(name: string, { flags }: ParsedOption): string {
  const [, placeholder = 'VALUE'] = /<(.*)>/.exec(flags) ?? [];
  return `${name} needs a value: ${name} ${placeholder}. A value that begins with a dash is given as ${name}=VALUE.`;
}
