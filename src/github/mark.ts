/** The hidden mark at the end of a text by which Legion knows its own texts again, and which no text can forge or break. */

/** Only at the very end: whatever text there is, the mark comes after it. */
const MARK = /(?:\n\n|^)<!-- legion:([^\s<>]+) -->$/;

/** What `said` is called in a mark; the same for the same, and for nothing else. */
export function markName(said: string): string {
  // Dashes too: two of them would end an HTML comment for some readers.
  return encodeURIComponent(said).replaceAll('-', '%2D');
}

export function marked(text: string, name: string): string {
  const mark = `<!-- legion:${name} -->`;
  return text === '' ? mark : `${text}\n\n${mark}`;
}

/** Editors in a browser send other line ends, and blanks at the end are nobody's word. */
export function unmarked(body: string): { readonly text: string; readonly name: string | undefined } {
  const trimmed = body.trimEnd().replace(/\r\n\r\n(<!-- legion:[^\s<>]+ -->)$/, '\n\n$1');
  const [mark, name] = MARK.exec(trimmed) ?? [];
  return mark === undefined ? { text: body, name } : { text: trimmed.slice(0, -mark.length), name };
}
