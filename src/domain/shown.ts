/** Text from outside as a message may show it: quoted, cut, and in plain ASCII. */

/** Enough to recognise a value by; the rest of a hostile one helps nobody. */
export const SHOWN_LENGTH = 40;

/** Escaped, so that control and right-to-left characters cannot disturb the terminal or log that shows it. */
export function shown(text: string): string {
  const cut = text.length > SHOWN_LENGTH ? `${text.slice(0, SHOWN_LENGTH)}…` : text;
  return JSON.stringify(cut).replace(
    /[^\x20-\x7e…]/g,
    (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}
