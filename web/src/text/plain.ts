/**
 * Strips control sequences from untrusted text. Otherwise, the text could change colours, move the
 * cursor or reverse the text direction. Pure.
 */

const ESCAPE = '\u001b';
const BELL = '\u0007';
/** `ESC [` as one character. */
const SHORT_CSI = '\u009b';
/**
 * These characters after ESC start a string with its own terminator, such as a window title or a
 * link.
 */
const STRINGS = ']PX^_';

/**
 * Keeps only the visible text of terminal output. If the output overwrites a line, both versions
 * are kept as separate lines.
 */
export function toPlainText(text: string): string {
  return stripEscapes(text)
    .replace(/\r\n?/g, '\n')
    .replace(/(?![\n\t])\p{Cc}/gu, '')
    .replace(/[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g, '·');
}

function stripEscapes(text: string): string {
  if (!text.includes(ESCAPE) && !text.includes(SHORT_CSI)) return text;
  let clean = '';
  let from = 0;
  for (let index = 0; index < text.length; ) {
    const end =
      text[index] === ESCAPE
        ? findEscapeEnd(text, index + 1)
        : text[index] === SHORT_CSI
          ? findCsiEnd(text, index + 1)
          : index;
    if (end === index) {
      index += 1;
      continue;
    }
    clean += text.slice(from, index);
    from = end;
    index = end;
  }
  return clean + text.slice(from);
}

/** Returns the end of the escape sequence. `from` is the position right after its ESC. */
function findEscapeEnd(text: string, from: number): number {
  const kind = text[from];
  if (kind === undefined) return from;
  if (kind === '[') return findCsiEnd(text, from + 1);
  if (STRINGS.includes(kind)) return findStringEnd(text, from + 1);
  return findRangeEnd(text, from, ' ', '/') + 1;
}

function findCsiEnd(text: string, from: number): number {
  return findRangeEnd(text, findRangeEnd(text, from, '0', '?'), ' ', '/') + 1;
}

/**
 * Returns the end of an escape string. If it has no terminator, it ends with its line, so that it
 * cannot swallow the rest of a transcript.
 */
function findStringEnd(text: string, from: number): number {
  for (let index = from; index < text.length; index += 1) {
    if (text[index] === BELL) return index + 1;
    if (text[index] === ESCAPE) return text[index + 1] === '\\' ? index + 2 : index;
    if (text[index] === '\n') return index;
  }
  return text.length;
}

function findRangeEnd(text: string, from: number, first: string, last: string): number {
  let index = from;
  for (let char = text[index]; char !== undefined && char >= first && char <= last; char = text[index])
    index += 1;
  return index;
}
