/** How many columns of a terminal a text takes, and a text cut to so many. */

/** East Asian letters and most pictures take two columns; marks that sit on the letter before take none. */
const WIDE =
  /[\u{1100}-\u{115f}\u{2e80}-\u{303e}\u{3041}-\u{a4cf}\u{ac00}-\u{d7a3}\u{f900}-\u{faff}\u{fe30}-\u{fe6f}\u{ff00}-\u{ff60}\u{ffe0}-\u{ffe6}\u{20000}-\u{3fffd}]|\p{Emoji_Presentation}/u;
const MARK = /\p{M}/u;
const PLAIN = /^[\x20-\x7e]*$/;

export function widthOf(text: string): number {
  if (PLAIN.test(text)) return text.length;
  let width = 0;
  for (const letter of text) width += columnsOf(letter);
  return width;
}

export function cutTo(text: string, columns: number): string {
  if (widthOf(text) <= columns) return text;
  let kept = '';
  let width = 0;
  for (const letter of text) {
    width += columnsOf(letter);
    if (width > columns - 1) break;
    kept += letter;
  }
  return columns < 1 ? '' : `${kept}…`;
}

export function padTo(text: string, columns: number): string {
  return text + ' '.repeat(Math.max(0, columns - widthOf(text)));
}

function columnsOf(letter: string): number {
  if (MARK.test(letter)) return 0;
  return WIDE.test(letter) ? 2 : 1;
}
