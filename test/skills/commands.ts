/** Checks a command line from a skill against the real commands and the schemas of the verbs. */
import { Readable } from 'node:stream';
import { readVerbInput, VERB_LAYOUTS } from '../../src/cli/commands/agents/verb-input.ts';
import { parseMode, parsePhase, parseStatus } from '../../src/cli/parse-names.ts';
import type { CliCommand, CommandContext } from '../../src/cli/program/define-command.ts';
import { findCommand } from '../../src/cli/program/dispatch.ts';
import { VERB_NAMES, VERBS, type VerbName } from '../../src/protocol/verb.ts';
import { parseLine } from '../cli/support/parse-line.ts';
import { commands } from './known-names.ts';
import type { CommandLine } from './shell.ts';

export interface JudgedCommand {
  readonly wrong?: string;
  /** Options of the command, without their dashes. */
  readonly options?: readonly string[];
  /** Set if the command is a worker verb. */
  readonly verb?: VerbName;
}

/** Matches a placeholder: `ISSUE`, `VERB`, `…`. */
const PLACEHOLDERS = /^(?:[A-Z]+|…)$/;

/**
 * Checks a command line. If `whole` is false, the line only mentions the command and may leave out
 * required parts.
 */
export async function judgeCommand({ words, input }: CommandLine, whole: boolean): Promise<JudgedCommand> {
  const [, name = '', ...rest] = words;
  if (PLACEHOLDERS.test(name)) return {};
  const first = commands.get(name);
  if (first === undefined) return { wrong: `legion ${name} is not a command` };
  const { path, node, args } = await findCommand([name], first, rest);
  if ('members' in node) {
    const [next] = args;
    if (next !== undefined && !PLACEHOLDERS.test(next) && next !== '--help')
      return { wrong: `legion ${path.join(' ')} ${next} is not a command` };
    return whole && next !== '--help' ? { wrong: `legion ${name} needs a subcommand` } : {};
  }
  const verb = VERB_NAMES.find((each) => `worker ${VERB_LAYOUTS[each].words.join(' ')}` === path.join(' '));
  const options = node.build().options.map((option) => option.name());
  const found = { options, ...(verb !== undefined && { verb }) };
  const fault =
    findFault(node, path, args, whole) ??
    (whole && verb ? await readFault(verb, node, path, args, input) : undefined);
  return fault === undefined ? found : { ...found, wrong: fault };
}

function findFault(
  node: CliCommand,
  path: readonly string[],
  args: readonly string[],
  whole: boolean,
): string | undefined {
  if (args.includes('--help')) return undefined;
  try {
    // `N` is a placeholder for a number.
    const filled = args.map((word) => (word === 'N' ? '1' : word));
    const { command, positionals, options } = parseLine(node, path, filled);
    const placed = command.registeredArguments.map((argument, index) => [
      argument.name().toLowerCase(),
      positionals[index],
    ]);
    const named: Readonly<Record<string, unknown>> = { ...Object.fromEntries(placed), ...options };
    const { mode, phase, status } = named;
    check(mode, parseMode);
    check(phase, parsePhase);
    check(status, parseStatus);
    return undefined;
  } catch (error) {
    const { message } = error as Error;
    return !whole && / needs |^Missing /.test(message) ? undefined : message;
  }
}

function check(value: unknown, parse: (text: string) => unknown): void {
  const text = Array.isArray(value) ? value.join(' ') : value;
  if (typeof text === 'string' && !PLACEHOLDERS.test(text)) parse(text);
}

async function readFault(
  verb: VerbName,
  node: CliCommand,
  path: readonly string[],
  args: readonly string[],
  input: string,
): Promise<string | undefined> {
  const context = { cwd: '/', stdin: Readable.from([Buffer.from(input)]), signal: AbortSignal.any([]) };
  try {
    const parsed = parseLine(node, path, args);
    return findInputFault(verb, await readVerbInput(verb, parsed, context as unknown as CommandContext));
  } catch (error) {
    return (error as Error).message;
  }
}

export function findInputFault(verb: VerbName, input: unknown): string | undefined {
  const { success, error } = VERBS[verb].input.safeParse(input);
  return success
    ? undefined
    : `${verb} does not accept this: ${error.issues[0]?.path.join('.')} ${error.issues[0]?.message}`;
}
