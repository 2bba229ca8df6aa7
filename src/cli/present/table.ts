/** Tables for people: aligned columns that fit the terminal, or a list of fields where they cannot. */
import { styleText } from 'node:util';
import { cutTo, measureWidth, padTo, wrapWords } from './fit.ts';
import { safeLine } from './safe.ts';
import { UNLIMITED_COLUMNS } from './terminal-columns.ts';

/** A longer cell is cut: one hostile title must not push the other columns off the screen. */
const MAX_CELL_COLUMNS = 60;
/** The last column pushes nothing away, so it may hold a whole sentence. */
const MAX_LAST_CELL_COLUMNS = 160;
const GAP = '  ';
const FIELD_INDENT = '  ';

export type Style = 'red' | 'green' | 'yellow' | 'cyan' | 'bold' | 'dim';
export type Cell = string | { readonly text: string; readonly style: Style };

interface ShownCell {
  readonly text: string;
  /** In columns. */
  readonly width: number;
  readonly style: Style | undefined;
}

/** `columns`: the width of the terminal. */
export function table(
  head: readonly string[],
  rows: readonly (readonly Cell[])[],
  columns: number = UNLIMITED_COLUMNS,
): string {
  const cells = rows.map((row) => row.map((cell, index) => toShownCell(cell, index === head.length - 1)));
  const widths = fitWidths(head, cells, columns - GAP.length * (head.length - 1));
  if (widths === undefined) return listFields(head, cells, columns);
  const titles = head.map((text) => ({ text, width: measureWidth(text), style: undefined }));
  return [
    ...layOutRow(titles, widths).map((line) => styleText('dim', line)),
    ...cells.flatMap((row) => layOutRow(row, widths)),
  ]
    .map((line) => `${line}\n`)
    .join('');
}

function toShownCell(cell: Cell, isLast: boolean): ShownCell {
  const [given, style] = typeof cell === 'string' ? [cell, undefined] : [cell.text, cell.style];
  const text = cutTo(safeLine(given), isLast ? MAX_LAST_CELL_COLUMNS : MAX_CELL_COLUMNS);
  return { text, width: measureWidth(text), style };
}

/** The widest columns become narrower first, none narrower than its longest word; undefined where that does not fit. */
function fitWidths(
  head: readonly string[],
  rows: readonly (readonly ShownCell[])[],
  room: number,
): readonly number[] | undefined {
  const wanted = head.map((title, index) => maxOf(rows, index, ({ width }) => width, measureWidth(title)));
  if (sum(wanted) <= room) return wanted;
  const least = head.map((title, index) =>
    maxOf(rows, index, ({ text }) => longestWordWidth(text), longestWordWidth(title)),
  );
  const limitTo = (limit: number) =>
    wanted.map((width, index) => Math.max(Math.min(width, limit), least[index] ?? 0));
  for (let limit = Math.max(...wanted); limit > 0; limit -= 1) {
    const widths = limitTo(limit);
    if (sum(widths) <= room) return widths;
  }
  return undefined;
}

function maxOf(
  rows: readonly (readonly ShownCell[])[],
  index: number,
  measure: (cell: ShownCell) => number,
  initial: number,
): number {
  return rows.reduce((most, row) => {
    const cell = row[index];
    return cell === undefined ? most : Math.max(most, measure(cell));
  }, initial);
}

function longestWordWidth(text: string): number {
  return Math.max(0, ...text.split(' ').map(measureWidth));
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}

/** One line, or several where a cell is wrapped. */
function layOutRow(row: readonly ShownCell[], widths: readonly number[]): readonly string[] {
  const wrapped = row.map((cell, index) => {
    const width = widths[index] ?? 0;
    return {
      width,
      style: cell.style,
      lines: cell.width <= width ? [cell.text] : wrapWords(cell.text, width).split('\n'),
    };
  });
  const height = Math.max(...wrapped.map(({ lines }) => lines.length));
  return Array.from({ length: height }, (_, line) =>
    wrapped
      .map(({ width, style, lines }) => colour(padTo(lines[line] ?? '', width), style))
      .join(GAP)
      .trimEnd(),
  );
}

/** Each row as the first cell, and the other ones below it with their titles. */
function listFields(
  head: readonly string[],
  rows: readonly (readonly ShownCell[])[],
  columns: number,
): string {
  const titleWidth = Math.max(...head.slice(1).map(measureWidth));
  const indent = `${FIELD_INDENT}${' '.repeat(titleWidth)}${GAP}`;
  return rows
    .map(([first, ...others]) => {
      const fields = others.flatMap(({ text, style }, index) => {
        if (text === '') return [];
        const title = styleText('dim', padTo(head[index + 1] ?? '', titleWidth));
        const lines = wrapWords(text, Math.max(1, columns - indent.length)).split('\n');
        return [
          `${FIELD_INDENT}${title}${GAP}${lines.map((line) => colour(line, style)).join(`\n${indent}`)}\n`,
        ];
      });
      return `${colour(first?.text ?? '', first?.style ?? 'bold')}\n${fields.join('')}`;
    })
    .join('');
}

/** Spaces at the end stay outside of the colour, so that they can be trimmed. */
function colour(text: string, style: Style | undefined): string {
  const visible = text.trimEnd();
  return style === undefined || visible === ''
    ? text
    : styleText(style, visible) + text.slice(visible.length);
}
