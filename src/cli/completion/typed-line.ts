/**
 * Determines what kind of word the last word of an unfinished command line can be. The words are
 * only compared, never evaluated.
 */
import type { CommandUnknownOpts } from '@commander-js/extra-typings';

type CommandOption = CommandUnknownOpts['options'][number];

/** `placeholder` is the name that the help uses for a value, such as `ISSUE`. */
export type CompletionTarget =
  | { readonly kind: 'option'; readonly prefix: string; readonly used: ReadonlySet<CommandOption> }
  | {
      readonly kind: 'value';
      readonly placeholder: string;
      readonly prefix: string;
      /** Text before the value in the same word, such as `--status=`. */
      readonly lead: string;
    };

export interface TypedLine {
  /** Undefined if Legion has no candidates for the word. */
  readonly target: CompletionTarget | undefined;
  readonly positionals: readonly string[];
  readonly values: ReadonlyMap<string, string>;
}

/** `args` are the words after the command's name. The last one is being typed. */
export function readTypedLine(command: CommandUnknownOpts, args: readonly string[]): TypedLine {
  const words = joinEqualSigns(args);
  const typed = words.pop() ?? '';
  const positionals: string[] = [];
  const values = new Map<string, string>();
  const used = new Set<CommandOption>();
  let pending: CommandOption | undefined;
  let areOptionsOver = false;
  for (const word of words) {
    if (pending !== undefined) {
      values.set(pending.long ?? '', word);
      pending = undefined;
    } else if (areOptionsOver || !isFlag(word)) positionals.push(word);
    else if (word === '--') areOptionsOver = true;
    else {
      const { name, value } = splitFlag(word);
      const option = findOption(command, name);
      if (option === undefined) continue;
      used.add(option);
      if (value !== undefined) values.set(option.long ?? '', value);
      else if (option.required) pending = option;
    }
  }
  const target = findCompletionTarget({
    command,
    typed,
    pending,
    areOptionsOver,
    used,
    positionalCount: positionals.length,
  });
  return { target, positionals, values };
}

interface CompletionPosition {
  readonly command: CommandUnknownOpts;
  readonly typed: string;
  readonly pending: CommandOption | undefined;
  readonly areOptionsOver: boolean;
  readonly used: ReadonlySet<CommandOption>;
  /** Number of positional arguments before the word that is being typed. */
  readonly positionalCount: number;
}

function findCompletionTarget({
  command,
  typed,
  pending,
  areOptionsOver,
  used,
  positionalCount,
}: CompletionPosition): CompletionTarget | undefined {
  if (pending !== undefined) return toValueTarget(extractPlaceholder(pending), typed);
  if (!areOptionsOver && typed.startsWith('-')) {
    const { name, value } = splitFlag(typed);
    if (value === undefined) return { kind: 'option', prefix: typed, used };
    const option = findOption(command, name);
    return option?.required === true
      ? toValueTarget(extractPlaceholder(option), value, `${name}=`)
      : undefined;
  }
  const all = command.registeredArguments;
  const last = all.at(-1);
  const argument = all[positionalCount] ?? (last?.variadic === true ? last : undefined);
  return argument === undefined ? undefined : toValueTarget(argument.name(), typed);
}

function toValueTarget(placeholder: string, prefix: string, lead = ''): CompletionTarget {
  return { kind: 'value', placeholder, prefix, lead };
}

/** Bash passes `--status=todo` as three words. */
function joinEqualSigns(args: readonly string[]): string[] {
  const words: string[] = [];
  for (const [index, word] of args.entries()) {
    const before = words.at(-1);
    if (word === '=' && before?.startsWith('--') === true && !before.includes('='))
      words[words.length - 1] = `${before}=`;
    else if (args[index - 1] === '=' && before?.endsWith('=') === true)
      words[words.length - 1] = before + word;
    else words.push(word);
  }
  return words;
}

function isFlag(word: string): boolean {
  return word.length > 1 && word.startsWith('-');
}

function splitFlag(word: string): { readonly name: string; readonly value: string | undefined } {
  const sign = word.startsWith('--') ? word.indexOf('=') : -1;
  return sign === -1
    ? { name: word, value: undefined }
    : { name: word.slice(0, sign), value: word.slice(sign + 1) };
}

function findOption(command: CommandUnknownOpts, name: string): CommandOption | undefined {
  return command.options.find(({ short, long }) => name === long || name === short);
}

function extractPlaceholder({ flags }: CommandOption): string {
  return /<(.*)>/.exec(flags)?.[1] ?? '';
}
