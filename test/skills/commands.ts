/** Holds a command line that a skill names against the real commands and the schemas of the verbs. */
import { Readable } from 'node:stream';
import type { CliCommand, CommandContext } from '../../src/cli/command.ts';
import { LAYOUTS } from '../../src/cli/commands/worker/layout.ts';
import { verbInput } from '../../src/cli/commands/worker/verb-input.ts';
import { parseMode, parsePhase, parseStatus } from '../../src/cli/parse-names.ts';
import { findCommand } from '../../src/cli/program/dispatch.ts';
import { VERB_NAMES, VERBS, type VerbName } from '../../src/protocol/verb.ts';
import { parseLine } from '../cli/support/parse-line.ts';
import { commands } from './known-names.ts';
import type { CommandLine } from './shell.ts';

export interface Judged {
  readonly wrong?: string;
  /** Of the command, without their dashes. */
  readonly options?: readonly string[];
  /** Where it is something a worker says. */
  readonly verb?: VerbName;
}

/** A word that stands for another: `ISSUE`, `VERB`, `…`. */
const STANDS_FOR = /^(?:[A-Z]+|…)$/;

/** `whole`: as it is typed. Otherwise it is a mention, which may leave out what a whole line must have. */
export async function judge({ words, input }: CommandLine, whole: boolean): Promise<Judged> {
  const [, name = '', ...rest] = words;
  if (STANDS_FOR.test(name)) return {};
  const first = commands.get(name);
  if (first === undefined) return { wrong: `legion ${name} is no command` };
  const { path, node, args } = await findCommand([name], first, rest);
  if ('members' in node) {
    const [next] = args;
    if (next !== undefined && !STANDS_FOR.test(next) && next !== '--help')
      return { wrong: `legion ${path.join(' ')} ${next} is no command` };
    return whole && next !== '--help'
      ? { wrong: `legion ${name} does nothing by itself: it needs one of its commands` }
      : {};
  }
  const verb = VERB_NAMES.find((each) => `worker ${LAYOUTS[each].words.join(' ')}` === path.join(' '));
  const options = node.build().options.map((option) => option.name());
  const found = { options, ...(verb !== undefined && { verb }) };
  const fault =
    faultIn(node, path, args, whole) ??
    (whole && verb ? await faultOf(verb, node, path, args, input) : undefined);
  return fault === undefined ? found : { ...found, wrong: fault };
}

function faultIn(
  node: CliCommand,
  path: readonly string[],
  args: readonly string[],
  whole: boolean,
): string | undefined {
  if (args.includes('--help')) return undefined;
  try {
    // `N` stands for a number.
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
  if (typeof text === 'string' && !STANDS_FOR.test(text)) parse(text);
}

async function faultOf(
  verb: VerbName,
  node: CliCommand,
  path: readonly string[],
  args: readonly string[],
  input: string,
): Promise<string | undefined> {
  const context = { cwd: '/', stdin: Readable.from([Buffer.from(input)]), signal: AbortSignal.any([]) };
  try {
    const parsed = parseLine(node, path, args);
    return faultInInput(verb, await verbInput(verb, parsed, context as unknown as CommandContext));
  } catch (error) {
    return (error as Error).message;
  }
}

export function faultInInput(verb: VerbName, input: unknown): string | undefined {
  const { success, error } = VERBS[verb].input.safeParse(input);
  return success
    ? undefined
    : `${verb} does not take this: ${error.issues[0]?.path.join('.')} ${error.issues[0]?.message}`;
}
