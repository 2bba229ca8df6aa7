/** Fits text into columns of a terminal: measures it, pads it, cuts it, or wraps it at words. */
import { stripVTControlCharacters } from 'node:util';
import stringWidth from 'string-width';
import wrapAnsi from 'wrap-ansi';
import { UNLIMITED_COLUMNS } from './terminal-columns.ts';

/** A narrower text column is harder to read than lines that the terminal breaks. */
const MIN_WRAP_COLUMNS = 20;
/** A longer name in front of a value leaves too little room to hang the value next to it. */
const MAX_HANGING_COLUMNS = 30;

/** Letters of Latin scripts and common punctuation: each is one column wide and combines with nothing. */
const NARROW_TEXT = /^[ -~\u00a1-\u00a8\u00aa-\u00ac\u00af-\u02ff\u2010-\u2027]*$/;

/** The columns that a text takes. Most text is narrow, and splitting text into graphemes is slow. */
export function measureWidth(text: string): number {
  return NARROW_TEXT.test(text) ? text.length : stringWidth(text);
}

export function padTo(text: string, columns: number): string {
  return text + ' '.repeat(Math.max(0, columns - measureWidth(text)));
}

export function cutTo(text: string, columns: number): string {
  if (measureWidth(text) <= columns) return text;
  if (columns < 1) return '';
  if (NARROW_TEXT.test(text)) return `${text.slice(0, columns - 1)}…`;
  let kept = '';
  let width = 0;
  for (const { segment } of new Intl.Segmenter().segment(text)) {
    width += measureWidth(segment);
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
    .map((line) => (measureWidth(line) <= columns ? line : wrapLine(line, columns)))
    .join('\n');
}

function wrapLine(line: string, columns: number): string {
  const plain = stripVTControlCharacters(line);
  const indent = hangingIndent(plain, columns);
  const [before, after] = splitAt(line, indent.length);
  return (
    before +
    wrapWords(after, columns - measureWidth(indent)).replaceAll('\n', `\n${padTo('', measureWidth(indent))}`)
  );
}

/** The spaces in front of a line, and a name that is set off from its value by two spaces. */
function hangingIndent(plain: string, columns: number): string {
  const [spaces = ''] = /^ */.exec(plain) ?? [];
  const [named = spaces] = /^ *\S.*? {2,}(?=\S)/.exec(plain) ?? [];
  const fits = [named, spaces].find(
    (indent) => indent.length <= MAX_HANGING_COLUMNS && columns - measureWidth(indent) >= MIN_WRAP_COLUMNS,
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
