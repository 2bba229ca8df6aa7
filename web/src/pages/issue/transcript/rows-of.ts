/** Cuts a long text into rows: one that is much higher than the window would have to be drawn whole. Pure. */

export const ROW_LINES = 60;
export const ROW_CHARS = 6_000;

export function rowsOf(text: string): readonly string[] {
  if (text.length <= ROW_CHARS && text.split('\n', ROW_LINES + 1).length <= ROW_LINES) return [text];
  const rows: string[] = [];
  let row: string[] = [];
  let chars = 0;
  for (const line of text.split('\n').flatMap(shortLines)) {
    if (row.length >= ROW_LINES || (row.length > 0 && chars + line.length > ROW_CHARS)) {
      rows.push(row.join('\n'));
      row = [];
      chars = 0;
    }
    row.push(line);
    chars += line.length + 1;
  }
  return [...rows, row.join('\n')];
}

function shortLines(line: string): readonly string[] {
  const count = Math.max(1, Math.ceil(line.length / ROW_CHARS));
  return Array.from({ length: count }, (_, index) => line.slice(index * ROW_CHARS, (index + 1) * ROW_CHARS));
}
