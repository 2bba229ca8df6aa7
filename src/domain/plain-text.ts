/** Text from outside as it may be kept and shown: whole characters, without control characters. Pure. */

/** C0 but tab and line feed, DEL, C1, and the marks that turn the direction of writing around. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are removed.
const CONTROL = /[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]/g;
/** Colours and cursor movements of a terminal; without their first character they would stay as litter. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: terminal sequences begin with one.
const TERMINAL = /\x1b(?:\[[0-?]*[ -/]*[@-~]|\][^\x07\x1b]*(?:\x07|\x1b\\)?|[@-Z\\-_])/g;

/** As somebody wrote it, but for what no file or database keeps: half characters and NUL. Each view makes it safe to show. */
export function wholeText(text: string): string {
  return text.toWellFormed().replaceAll('\0', '');
}

export function plainText(text: string): string {
  return text.toWellFormed().replace(/\r\n?/g, '\n').replace(TERMINAL, '').replace(CONTROL, '');
}

export function plainLine(text: string): string {
  return plainText(text).replace(/\s+/g, ' ').trim();
}

/** At most `length` characters, with an ellipsis where something was cut; never half a character. */
export function cutText(text: string, length: number): string {
  return text.length <= length ? text : `${text.slice(0, length - 1).replace(/[\uD800-\uDBFF]$/, '')}…`;
}
