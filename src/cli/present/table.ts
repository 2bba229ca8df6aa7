/**
 * Formats tables as aligned columns, or as lists of fields if the columns do not fit. Also renders
 * styled lines of a screen.
 */
import { styleText } from 'node:util';
import { measureWidth, padText, truncateText, wrapWords } from './fit.ts';
import { sanitizeLine, UNLIMITED_COLUMNS } from './terminal.ts';

/**
 * Longer cells are truncated, so that one hostile title cannot push the other columns off the
 * screen.
 */
const MAX_CELL_COLUMNS = 60;
/** Nothing follows the last column, so it may hold a whole sentence. */
const MAX_LAST_CELL_COLUMNS = 160;
const GAP = '  ';
const FIELD_INDENT = '  ';

export type TextStyle = 'red' | 'green' | 'yellow' | 'cyan' | 'bold' | 'dim';
export type TableCell = string | { readonly text: string; readonly style: TextStyle };

interface MeasuredCell {
  readonly text: string;
  /** Width in terminal columns. */
  readonly width: number;
  readonly style: TextStyle | undefined;
}

/** `columns` is the width of the terminal. */
export function renderTable(
  head: readonly string[],
  rows: readonly (readonly TableCell[])[],
  columns: number = UNLIMITED_COLUMNS,
): string {
  const cells = rows.map((row) => row.map((cell, index) => toMeasuredCell(cell, index === head.length - 1)));
  const widths = computeColumnWidths(head, cells, columns - GAP.length * (head.length - 1));
  if (widths === undefined) return listFields(head, cells, columns);
  const titles = head.map((text) => ({ text, width: measureWidth(text), style: undefined }));
  return [
    ...renderTableRow(titles, widths).map((line) => styleText('dim', line)),
    ...cells.flatMap((row) => renderTableRow(row, widths)),
  ]
    .map((line) => `${line}\n`)
    .join('');
}

function toMeasuredCell(cell: TableCell, isLast: boolean): MeasuredCell {
  const [rawText, style] = typeof cell === 'string' ? [cell, undefined] : [cell.text, cell.style];
  const text = truncateText(sanitizeLine(rawText), isLast ? MAX_LAST_CELL_COLUMNS : MAX_CELL_COLUMNS);
  return { text, width: measureWidth(text), style };
}

/**
 * Narrows the widest columns first, but none below the width of its longest word. Returns undefined
 * if the columns still do not fit.
 */
function computeColumnWidths(
  head: readonly string[],
  rows: readonly (readonly MeasuredCell[])[],
  available: number,
): readonly number[] | undefined {
  const wanted = head.map((title, index) =>
    computeColumnMax(rows, index, ({ width }) => width, measureWidth(title)),
  );
  if (sum(wanted) <= available) return wanted;
  const minimums = head.map((title, index) =>
    computeColumnMax(
      rows,
      index,
      ({ text }) => computeLongestWordWidth(text),
      computeLongestWordWidth(title),
    ),
  );
  const limitTo = (limit: number) =>
    wanted.map((width, index) => Math.max(Math.min(width, limit), minimums[index] ?? 0));
  for (let limit = Math.max(...wanted); limit > 0; limit -= 1) {
    const widths = limitTo(limit);
    if (sum(widths) <= available) return widths;
  }
  return undefined;
}

function computeColumnMax(
  rows: readonly (readonly MeasuredCell[])[],
  index: number,
  measure: (cell: MeasuredCell) => number,
  initial: number,
): number {
  return rows.reduce((max, row) => {
    const cell = row[index];
    return cell === undefined ? max : Math.max(max, measure(cell));
  }, initial);
}

function computeLongestWordWidth(text: string): number {
  return Math.max(0, ...text.split(' ').map(measureWidth));
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}

/** Returns one line, or several if a cell is wrapped. */
function renderTableRow(row: readonly MeasuredCell[], widths: readonly number[]): readonly string[] {
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
      .map(({ width, style, lines }) => applyStyle(padText(lines[line] ?? '', width), style))
      .join(GAP)
      .trimEnd(),
  );
}

/** Lists each row as its first cell, with the titles and values of the other cells below it. */
function listFields(
  head: readonly string[],
  rows: readonly (readonly MeasuredCell[])[],
  columns: number,
): string {
  const titleWidth = Math.max(...head.slice(1).map(measureWidth));
  const indent = `${FIELD_INDENT}${' '.repeat(titleWidth)}${GAP}`;
  return rows
    .map(([first, ...others]) => {
      const fields = others.flatMap(({ text, style }, index) => {
        if (text === '') return [];
        const title = styleText('dim', padText(head[index + 1] ?? '', titleWidth));
        const lines = wrapWords(text, Math.max(1, columns - indent.length)).split('\n');
        return [
          `${FIELD_INDENT}${title}${GAP}${lines.map((line) => applyStyle(line, style)).join(`\n${indent}`)}\n`,
        ];
      });
      return `${applyStyle(first?.text ?? '', first?.style ?? 'bold')}\n${fields.join('')}`;
    })
    .join('');
}

/** Keeps trailing spaces outside of the colour, so that they can be trimmed. */
function applyStyle(text: string, style: TextStyle | undefined): string {
  const visible = text.trimEnd();
  return style === undefined || visible === ''
    ? text
    : styleText(style, visible) + text.slice(visible.length);
}

export interface TextSegment {
  readonly text: string;
  readonly style?: TextStyle | undefined;
}

export type ScreenLine = readonly TextSegment[];

export function toSegment(text: string): TextSegment {
  return { text };
}

export function toStyledSegment(style: TextStyle, text: string): TextSegment {
  return { text, style };
}

/** Renders a line of a screen. Cuts it to the width before colours are added. */
export function renderScreenLine(line: ScreenLine, columns: number): string {
  let left = columns;
  let output = '';
  for (const { text, style } of line) {
    if (left <= 0) break;
    const cut = truncateText(sanitizeLine(text), left);
    left -= measureWidth(cut);
    output += style === undefined || cut === '' ? cut : styleText(style, cut);
  }
  return output;
}

/** Cuts or pads a text to exactly this width. */
export function formatColumn(text: string, columns: number): string {
  return padText(truncateText(sanitizeLine(text), columns), columns);
}
