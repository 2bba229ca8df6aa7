/** Shows a sentence in which backticks mark commands and files, as the daemon writes them. */
import { toPlainText } from '../text/plain.ts';

export function CommandText({ text }: { readonly text: string }) {
  const parts = toPlainText(text).split('`');
  // Shows the text unchanged if the backticks do not pair up.
  if (parts.length % 2 === 0) return toPlainText(text);
  return parts.map((part, index) =>
    // biome-ignore lint/suspicious/noArrayIndexKey: parts of one text have no other key.
    index % 2 === 0 ? part : <code key={index}>{part}</code>,
  );
}
