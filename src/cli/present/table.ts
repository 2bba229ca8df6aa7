/** Plain tables for people: aligned columns, a dim head, and nothing that could disturb a terminal. */
import { styleText } from 'node:util';

/** Longer cells are cut, so that one hostile title cannot push the rest off the screen. */
const CELL_WIDTH = 60;

export function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const cells = rows.map((row) => row.map(safe));
  const widths = head.map((title, column) =>
    Math.max(title.length, ...cells.map((row) => row[column]?.length ?? 0)),
  );
  const line = (row: readonly string[]) =>
    row
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join('  ')
      .trimEnd();
  return [styleText('dim', line(head)), ...cells.map(line)].map((text) => `${text}\n`).join('');
}

/** Control characters, line breaks and text-direction marks become visible dots. */
function safe(text: string): string {
  const flat = text.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, '·');
  return flat.length > CELL_WIDTH ? `${flat.slice(0, CELL_WIDTH - 1)}…` : flat;
}
