/** Text from outside as a terminal may show it: nothing in it can move the cursor, change colours or turn the line round. */

/** Control characters, line breaks and text-direction marks become visible dots. */
export function safeLine(text: string): string {
  return text.replace(/[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/gu, '·');
}

/** The same for text of several lines: line breaks and tabs stay. */
export function safeText(text: string): string {
  return text.replace(/\r\n/g, '\n').replace(/(?![\n\t])[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/gu, '·');
}
