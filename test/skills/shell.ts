/**
 * Parses the command lines of an `sh` block as a shell would: quotes, continued lines, comments,
 * `&&`, here-documents.
 */
import type { Block } from './page.ts';

export interface CommandLine {
  readonly line: number;
  readonly words: readonly string[];
  /** Text of the command's here-document, passed as standard input. */
  readonly input: string;
}

export function splitCommands({ line: first, text }: Block): readonly CommandLine[] {
  const lines = text.split('\n');
  const all: CommandLine[] = [];
  for (let at = 0; at < lines.length; at += 1) {
    const line = first + 1 + at;
    let content = lines[at] ?? '';
    while (content.endsWith('\\')) {
      at += 1;
      content = `${content.slice(0, -1)} ${lines[at] ?? ''}`;
    }
    const end = /<<'(\w+)'\s*$/.exec(content)?.[1];
    const input: string[] = [];
    if (end !== undefined) {
      for (at += 1; at < lines.length && lines[at] !== end; at += 1) input.push(lines[at] ?? '');
    }
    const given = input.length > 0 ? `${input.join('\n')}\n` : '';
    const commands = split(splitWords(end === undefined ? content : content.replace(/<<'\w+'\s*$/, '')));
    for (const words of commands) all.push({ line, words, input: given });
  }
  return all;
}

interface Word {
  readonly text: string;
  readonly quoted: boolean;
}

/** Removes quotes. Quoted text is one word, and never an operator. */
function splitWords(content: string): readonly Word[] {
  const pattern = /'([^']*)'|"((?:[^"\\]|\\.)*)"|(#.*$)|([^\s'"]+)/g;
  return [...content.matchAll(pattern)].flatMap(([, single, double, comment, plain]): Word[] => {
    if (comment !== undefined) return [];
    if (plain !== undefined) return [{ text: plain, quoted: false }];
    return [{ text: single ?? (double ?? '').replace(/\\(.)/g, '$1'), quoted: true }];
  });
}

function split(words: readonly Word[]): string[][] {
  const commands: string[][] = [[]];
  for (const { text, quoted } of words) {
    if (!quoted && /^(?:&&|\|\|?|;)$/.test(text)) commands.push([]);
    else commands.at(-1)?.push(text);
  }
  return commands.filter((command) => command.length > 0);
}
