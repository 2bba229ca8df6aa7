/** Parses a unified patch into rows with the line numbers of both sides. Pure. */
import { toPlainText } from '../../../text/plain.ts';

export type PatchRow =
  | { readonly kind: 'hunk'; readonly text: string }
  | {
      readonly kind: 'line';
      readonly sign: '+' | '-' | ' ';
      readonly before: number | null;
      readonly after: number | null;
      readonly text: string;
    }
  | { readonly kind: 'note'; readonly text: string };

/** Maximum length of a line. Longer lines are usually machine-generated, so they are cut off. */
const MAX_LINE_CHARACTERS = 1_500;

export function parsePatchRows(patch: string): readonly PatchRow[] {
  const lines = patch.split('\n');
  if (lines.at(-1) === '') lines.pop();
  let before = 0;
  let after = 0;
  return lines.map((line): PatchRow => {
    const sign = line[0];
    const text = trimLine(toPlainText(line.slice(1).replace(/\r$/, '')));
    const hunk = /^@@ -(\d+)(?:,\d+)? \+(\d+)(?:,\d+)? @@ ?(.*)/.exec(line);
    if (hunk !== null) {
      before = Number(hunk[1]);
      after = Number(hunk[2]);
      return { kind: 'hunk', text: toPlainText(hunk[3] ?? '') };
    }
    if (sign === '+') return { kind: 'line', sign, before: null, after: after++, text };
    if (sign === '-') return { kind: 'line', sign, before: before++, after: null, text };
    if (sign === '\\') return { kind: 'note', text: text.trim() };
    return { kind: 'line', sign: ' ', before: before++, after: after++, text };
  });
}

function trimLine(line: string): string {
  if (line.length <= MAX_LINE_CHARACTERS) return line;
  return `${line.slice(0, MAX_LINE_CHARACTERS)}… (${(line.length - MAX_LINE_CHARACTERS).toLocaleString('en')} more characters)`;
}
