/** Plain tables for people: aligned columns, a dim head, and nothing that could disturb a terminal. */
import { styleText } from 'node:util';
import { safeLine } from './safe.ts';
import { cutTo, padTo, widthOf } from './width.ts';

/** Longer cells are cut, so that one hostile title cannot push the rest off the screen. */
const CELL_WIDTH = 60;
/** Behind the last column nothing can be pushed away; what is longer still is no cell. */
const LAST_WIDTH = 160;

/** A column of which less than this could be seen is better continued in the next line. */
const LAST_LEAST = 12;
const GAP = '  ';

export type Style = 'red' | 'green' | 'yellow' | 'cyan' | 'bold' | 'dim';
export type Cell = string | { readonly text: string; readonly style: Style };

/** `columns`: of the terminal, where the last column should end with it rather than go on in the next line. */
export function table(
  head: readonly string[],
  rows: readonly (readonly Cell[])[],
  columns: number = Number.POSITIVE_INFINITY,
): string {
  const plain = rows.map((row) => row.map((cell, column) => shownIn(cell, column === head.length - 1)));
  const widths = head.map((title, column) =>
    Math.max(title.length, ...plain.map((row) => widthOf(row[column]?.text ?? ''))),
  );
  const before = widths.slice(0, -1).reduce((sum, width) => sum + width + GAP.length, 0);
  const room = Math.max(LAST_LEAST, columns - before);
  const line = (row: readonly { text: string; style: Style | undefined }[]) => {
    const cells = row.map(({ text, style }, column) => {
      const isLast = column === row.length - 1;
      const padded = isLast ? cutTo(text, room) : padTo(text, widths[column] ?? 0);
      return style === undefined ? padded : styleText(style, padded);
    });
    return cells.join(GAP).trimEnd();
  };
  const titles = line(head.map((text) => ({ text, style: undefined })));
  return [styleText('dim', titles), ...plain.map(line)].map((text) => `${text}\n`).join('');
}

function shownIn(cell: Cell, isLast: boolean): { text: string; style: Style | undefined } {
  const { text, style } = typeof cell === 'string' ? { text: cell, style: undefined } : cell;
  return { text: cutTo(safeLine(text), isLast ? LAST_WIDTH : CELL_WIDTH), style };
}
