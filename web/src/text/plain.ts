/** Text from outside as a page may show it: nothing in it can colour, move or turn round what is shown. Pure. */

const ESCAPE = '\u001b';
const BELL = '\u0007';
/** `ESC [` as one character. */
const SHORT_CSI = '\u009b';
/** After ESC: what follows is a string, such as a window's title or a link, up to its end. */
const STRINGS = ']PX^_';

/** Left of a terminal's text is its text; a line that was written over is a line of its own. */
export function plain(text: string): string {
  return withoutEscapes(text)
    .replace(/\r\n?/g, '\n')
    .replace(/(?![\n\t])\p{Cc}/gu, '')
    .replace(/[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g, '·');
}

function withoutEscapes(text: string): string {
  if (!text.includes(ESCAPE) && !text.includes(SHORT_CSI)) return text;
  let clean = '';
  let from = 0;
  for (let here = 0; here < text.length; ) {
    const end =
      text[here] === ESCAPE
        ? afterEscape(text, here + 1)
        : text[here] === SHORT_CSI
          ? afterCsi(text, here + 1)
          : here;
    if (end === here) {
      here += 1;
      continue;
    }
    clean += text.slice(from, here);
    from = end;
    here = end;
  }
  return clean + text.slice(from);
}

/** Where the sequence ends that begins after the ESC before `from`. */
function afterEscape(text: string, from: number): number {
  const kind = text[from];
  if (kind === undefined) return from;
  if (kind === '[') return afterCsi(text, from + 1);
  if (STRINGS.includes(kind)) return afterString(text, from + 1);
  return afterWhile(text, from, ' ', '/') + 1;
}

function afterCsi(text: string, from: number): number {
  return afterWhile(text, afterWhile(text, from, '0', '?'), ' ', '/') + 1;
}

/** One without an end reaches to the end of its line, so that it cannot swallow a transcript. */
function afterString(text: string, from: number): number {
  for (let here = from; here < text.length; here += 1) {
    if (text[here] === BELL) return here + 1;
    if (text[here] === ESCAPE) return text[here + 1] === '\\' ? here + 2 : here;
    if (text[here] === '\n') return here;
  }
  return text.length;
}

function afterWhile(text: string, from: number, first: string, last: string): number {
  let here = from;
  for (let char = text[here]; char !== undefined && char >= first && char <= last; char = text[here])
    here += 1;
  return here;
}
