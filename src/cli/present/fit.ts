/** Fits text into columns of a terminal: pads it, cuts it, or wraps it at words. */
import { stripVTControlCharacters } from 'node:util';
import stringWidth from 'string-width';
import wrapAnsi from 'wrap-ansi';
import { UNLIMITED_COLUMNS } from './terminal-columns.ts';

/** A narrower text column is harder to read than lines that the terminal breaks. */
const MIN_WRAP_COLUMNS = 20;
/** A longer name in front of a value leaves too little room to hang the value next to it. */
const MAX_HANGING_COLUMNS = 30;

export function padTo(text: string, columns: number): string {
  return text + ' '.repeat(Math.max(0, columns - stringWidth(text)));
}

export function cutTo(text: string, columns: number): string {
  if (stringWidth(text) <= columns) return text;
  if (columns < 1) return '';
  let kept = '';
  let width = 0;
  for (const { segment } of new Intl.Segmenter().segment(text)) {
    width += stringWidth(segment);
    if (width > columns - 1) break;
    kept += segment;
  }
  return `${kept}…`;
}

/** Breaks lines between words only; a word that is longer than a line stays whole. */
export function wrapWords(text: string, columns: number): string {
  return columns === UNLIMITED_COLUMNS ? text : wrapAnsi(text, columns);
}

/** Wraps each line that is too long, and aligns its continuation with the beginning of its text. */
export function wrapPage(text: string, columns: number): string {
  if (columns === UNLIMITED_COLUMNS) return text;
  return text
    .split('\n')
    .map((line) => (stringWidth(line) <= columns ? line : wrapLine(line, columns)))
    .join('\n');
}

function wrapLine(line: string, columns: number): string {
  const plain = stripVTControlCharacters(line);
  const indent = hangingIndent(plain, columns);
  const [before, after] = splitAt(line, indent.length);
  return (
    before +
    wrapWords(after, columns - stringWidth(indent)).replaceAll('\n', `\n${padTo('', stringWidth(indent))}`)
  );
}

/** The spaces in front of a line, and a name that is set off from its value by two spaces. */
function hangingIndent(plain: string, columns: number): string {
  const [spaces = ''] = /^ */.exec(plain) ?? [];
  const [named = spaces] = /^ *\S.*? {2,}(?=\S)/.exec(plain) ?? [];
  const fits = [named, spaces].find(
    (indent) => indent.length <= MAX_HANGING_COLUMNS && columns - stringWidth(indent) >= MIN_WRAP_COLUMNS,
  );
  return fits ?? '';
}

/** Splits behind so many characters; colour codes do not count. */
function splitAt(line: string, length: number): readonly [before: string, after: string] {
  let count = 0;
  // biome-ignore lint/suspicious/noControlCharactersInRegex: colour codes begin with one.
  for (const { 0: part, index } of line.matchAll(/\u001b\[[\d;]*m|./gs)) {
    if (count === length) return [line.slice(0, index), line.slice(index)];
    if (part.length === 1) count += 1;
  }
  return [line, ''];
}
