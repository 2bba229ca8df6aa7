/** Finds out what the last word of an unfinished command line can be; the words are only compared, never evaluated. */
import type { CommandUnknownOpts } from '@commander-js/extra-typings';

type CommandOption = CommandUnknownOpts['options'][number];

/** `placeholder` is the name of a value in the help, such as `ISSUE`. */
export type Wanted =
  | { readonly kind: 'option'; readonly prefix: string; readonly used: ReadonlySet<CommandOption> }
  | {
      readonly kind: 'value';
      readonly placeholder: string;
      readonly prefix: string;
      /** What stands in front of the value in the same word, such as `--status=`. */
      readonly lead: string;
    };

export interface TypedLine {
  /** Undefined where the word can be nothing that Legion knows. */
  readonly wanted: Wanted | undefined;
  readonly positionals: readonly string[];
  readonly values: ReadonlyMap<string, string>;
}

/** `args` follow the name of the command; the last of them is the word that is being typed. */
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
  const wanted = findWanted({ command, typed, pending, areOptionsOver, used, given: positionals.length });
  return { wanted, positionals, values };
}

interface Place {
  readonly command: CommandUnknownOpts;
  readonly typed: string;
  readonly pending: CommandOption | undefined;
  readonly areOptionsOver: boolean;
  readonly used: ReadonlySet<CommandOption>;
  /** How many positional arguments stand before the word. */
  readonly given: number;
}

function findWanted({ command, typed, pending, areOptionsOver, used, given }: Place): Wanted | undefined {
  if (pending !== undefined) return toValue(placeholderOf(pending), typed);
  if (!areOptionsOver && typed.startsWith('-')) {
    const { name, value } = splitFlag(typed);
    if (value === undefined) return { kind: 'option', prefix: typed, used };
    const option = findOption(command, name);
    return option?.required === true ? toValue(placeholderOf(option), value, `${name}=`) : undefined;
  }
  const all = command.registeredArguments;
  const last = all.at(-1);
  const argument = all[given] ?? (last?.variadic === true ? last : undefined);
  return argument === undefined ? undefined : toValue(argument.name(), typed);
}

function toValue(placeholder: string, prefix: string, lead = ''): Wanted {
  return { kind: 'value', placeholder, prefix, lead };
}

/** Bash hands `--status=todo` over as three words. */
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

function placeholderOf({ flags }: CommandOption): string {
  return /<(.*)>/.exec(flags)?.[1] ?? '';
}
