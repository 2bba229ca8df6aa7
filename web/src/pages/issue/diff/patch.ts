/** A unified patch as rows with the line numbers of both sides. Pure. */
import { plain } from '../../../text/plain.ts';

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

/** Longer lines were made by programs, for programs. */
const LINE_MOST_CHARS = 1_500;

export function patchRows(patch: string): readonly PatchRow[] {
  const lines = patch.split('\n');
  if (lines.at(-1) === '') lines.pop();
  let before = 0;
  let after = 0;
  return lines.map((line): PatchRow => {
    const sign = line[0];
    const text = shortened(plain(line.slice(1).replace(/\r$/, '')));
    const hunk = /^@@ -(\d+)(?:,\d+)? \+(\d+)(?:,\d+)? @@ ?(.*)/.exec(line);
    if (hunk !== null) {
      before = Number(hunk[1]);
      after = Number(hunk[2]);
      return { kind: 'hunk', text: plain(hunk[3] ?? '') };
    }
    if (sign === '+') return { kind: 'line', sign, before: null, after: after++, text };
    if (sign === '-') return { kind: 'line', sign, before: before++, after: null, text };
    if (sign === '\\') return { kind: 'note', text: text.trim() };
    return { kind: 'line', sign: ' ', before: before++, after: after++, text };
  });
}

function shortened(line: string): string {
  if (line.length <= LINE_MOST_CHARS) return line;
  return `${line.slice(0, LINE_MOST_CHARS)}… (${(line.length - LINE_MOST_CHARS).toLocaleString('en')} more characters)`;
}
