/** Holds a command line that a skill names against the real commands, their forms and the schemas of the verbs. */
import { Readable } from 'node:stream';
import { readArguments } from '../../src/cli/arguments.ts';
import type { Command, CommandContext } from '../../src/cli/command.ts';
import { LAYOUTS } from '../../src/cli/commands/worker/layout.ts';
import { verbForm } from '../../src/cli/commands/worker/verb-form.ts';
import { verbInput } from '../../src/cli/commands/worker/verb-input.ts';
import type { Form } from '../../src/cli/form.ts';
import { parseMode, parsePhase, parseStatus } from '../../src/cli/parse-names.ts';
import { VERB_NAMES, VERBS, type VerbName } from '../../src/protocol/verb.ts';
import type { CommandLine } from './shell.ts';
import { commands } from './world.ts';

export interface Judged {
  readonly wrong?: string;
  readonly form?: Form;
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
  const { command, args, wrong } = innermost(`legion ${name}`, first, rest);
  if (wrong !== undefined) return { wrong };
  const form = formOf(command);
  if (form === undefined) {
    return whole ? { wrong: `legion ${name} does nothing by itself: it needs one of its commands` } : {};
  }
  const verb = VERB_NAMES.find((each) => `worker ${LAYOUTS[each].words.join(' ')}` === form.name);
  const found = { form, ...(verb !== undefined && { verb }) };
  const fault = faultIn(form, args, whole) ?? (whole && verb ? await faultOf(verb, args, input) : undefined);
  return fault === undefined ? found : { ...found, wrong: fault };
}

function innermost(
  path: string,
  command: Command,
  args: readonly string[],
): { command: Command; args: readonly string[]; wrong?: string } {
  const [next, ...rest] = args;
  const { subcommands } = command;
  if (subcommands === undefined || next === undefined || STANDS_FOR.test(next)) return { command, args };
  const below = Object.hasOwn(subcommands, next) ? subcommands[next] : undefined;
  return below === undefined
    ? { command, args, wrong: `${path} ${next} is no command` }
    : innermost(`${path} ${next}`, below, rest);
}

function formOf(command: Command): Form | undefined {
  return 'form' in command ? (command.form as Form) : undefined;
}

interface Given {
  readonly mode?: unknown;
  readonly phase?: unknown;
  readonly status?: unknown;
  readonly options?: object;
}

function faultIn(form: Form, args: readonly string[], whole: boolean): string | undefined {
  if (args.includes('--help')) return undefined;
  try {
    const { options, ...placed }: Given = readArguments(form, args);
    const named: Given = { ...placed, ...options };
    check(named.mode, parseMode);
    check(named.phase, parsePhase);
    check(named.status, parseStatus);
    return undefined;
  } catch (error) {
    const { message } = error as Error;
    return !whole && / needs /.test(message) ? undefined : message;
  }
}

function check(value: unknown, named: (text: string) => unknown): void {
  const text = Array.isArray(value) ? value.join(' ') : value;
  if (typeof text === 'string' && !STANDS_FOR.test(text)) named(text);
}

async function faultOf(verb: VerbName, args: readonly string[], input: string): Promise<string | undefined> {
  const made = verbForm(verb);
  const context = { cwd: '/', stdin: Readable.from([Buffer.from(input)]), signal: AbortSignal.any([]) };
  try {
    const said = await verbInput(
      verb,
      made,
      readArguments(made.form, args),
      context as unknown as CommandContext,
    );
    return faultInInput(verb, said);
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
