/** Checks how options are used before commander parses them: it accepts `--status --all` and `--title a --title b`. */
import type { CommandUnknownOpts } from '@commander-js/extra-typings';
import { collectValues } from './options.ts';

type ParsedOption = CommandUnknownOpts['options'][number];

/** The first mistake, or undefined. */
export function findOptionMistake(command: CommandUnknownOpts, args: readonly string[]): string | undefined {
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
export function hideUnknownValues(command: CommandUnknownOpts, args: readonly string[]): readonly string[] {
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
