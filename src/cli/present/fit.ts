/** Fits text into columns of a terminal: measures it, pads it, cuts it, or wraps it at words. */

import { stripVTControlCharacters } from 'node:util';
import stringWidth from 'string-width';
import wrapAnsi from 'wrap-ansi';
import { UNLIMITED_COLUMNS } from './terminal.ts';

/**
 * Matches text of Latin letters and common punctuation only. Each of these characters is one column
 * wide and does not combine with others.
 */
const NARROW_TEXT = /^[ -~\u00a1-\u00a8\u00aa-\u00ac\u00af-\u02ff\u2010-\u2027]*$/;

/**
 * Returns the number of columns that a text takes. Narrow text is handled separately, because most
 * text is narrow, and splitting text into graphemes is slow.
 */
export function measureWidth(text: string): number {
  return NARROW_TEXT.test(text) ? text.length : stringWidth(text);
}

export function padText(text: string, columns: number): string {
  return text + ' '.repeat(Math.max(0, columns - measureWidth(text)));
}

export function truncateText(text: string, columns: number): string {
  if (measureWidth(text) <= columns) return text;
  if (columns < 1) return '';
  if (NARROW_TEXT.test(text)) return `${text.slice(0, columns - 1)}…`;
  let fitted = '';
  let width = 0;
  for (const { segment } of new Intl.Segmenter().segment(text)) {
    width += measureWidth(segment);
    if (width > columns - 1) break;
    fitted += segment;
  }
  return `${fitted}…`;
}

/** Breaks lines between words only. A word that is longer than a line stays whole. */
export function wrapWords(text: string, columns: number): string {
  return columns === UNLIMITED_COLUMNS ? text : wrapAnsi(text, columns);
}

/**
 * Wraps each line that is too long. Indents the continuation lines to the column where the line's
 * text begins.
 */
export function wrapPage(text: string, columns: number): string {
  if (columns === UNLIMITED_COLUMNS) return text;
  return text
    .split('\n')
    .map((line) => (measureWidth(line) <= columns ? line : wrapLine(line, columns)))
    .join('\n');
}

function wrapLine(line: string, columns: number): string {
  const plain = stripVTControlCharacters(line);
  const indent = computeHangingIndent(plain, columns);
  const [before, after] = splitAt(line, indent.length);
  return (
    before +
    wrapWords(after, columns - measureWidth(indent)).replaceAll(
      '\n',
      `\n${padText('', measureWidth(indent))}`,
    )
  );
}

/** Below this width, wrapped text is harder to read than lines that the terminal breaks. */
const MIN_WRAP_COLUMNS = 20;

/** A wider indent than this would leave too little width for the value next to the name. */
const MAX_HANGING_COLUMNS = 30;

/**
 * Returns the part of a line that determines the indent of its continuation: the leading spaces, or
 * a name and the spaces between the name and its value.
 */
function computeHangingIndent(plain: string, columns: number): string {
  const [spaces = ''] = /^ */.exec(plain) ?? [];
  const [named = spaces] = /^ *\S.*? {2,}(?=\S)/.exec(plain) ?? [];
  const fits = [named, spaces].find(
    (indent) => indent.length <= MAX_HANGING_COLUMNS && columns - measureWidth(indent) >= MIN_WRAP_COLUMNS,
  );
  return fits ?? '';
}

/** Splits after `length` characters, not counting colour codes. */
function splitAt(line: string, length: number): readonly [before: string, after: string] {
  let count = 0;
  // biome-ignore lint/suspicious/noControlCharactersInRegex: colour codes begin with one.
  for (const { 0: part, index } of line.matchAll(/\u001b\[[\d;]*m|./gs)) {
    if (count === length) return [line.slice(0, index), line.slice(index)];
    if (part.length === 1) count += 1;
  }
  return [line, ''];
}
