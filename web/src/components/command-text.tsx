/** A sentence in which commands and files stand between backticks, as the daemon writes them. */
import { plain } from '../text/plain.ts';

export function CommandText({ text }: { readonly text: string }) {
  const parts = plain(text).split('`');
  // An odd number of backticks is not a pair each: then the text is shown as it is.
  if (parts.length % 2 === 0) return plain(text);
  return parts.map((part, index) =>
    // biome-ignore lint/suspicious/noArrayIndexKey: parts of one text have nothing but their place.
    index % 2 === 0 ? part : <code key={index}>{part}</code>,
  );
}
