/** Text that notifies nobody by itself. */
import { linesOf } from './prose.ts';

/**
 * A mention in what a worker has written, or quotes, would notify whomever an outsider has named and may start other
 * programs that listen for their names. Those who follow the issue hear of it anyway. So something invisible stands between
 * the sign and the name, except in code, where GitHub makes no mentions and people copy.
 */
const GAP = '\u2060';
const MENTION = /(^|[^\w/@])@(?=[A-Za-z0-9])/g;

export function quiet(text: string): string {
  return linesOf(text)
    .map((line) => (line.isCode ? line.text : outsideCode(line.text)))
    .join('\n');
}

/** What was made quiet, as it was written. */
export function loud(text: string): string {
  return text.replaceAll(`@${GAP}`, '@');
}

/** Between backticks there is code; where one is left over, all after it is taken for prose. */
function outsideCode(line: string): string {
  // A backtick after a backslash is only a sign; such a line has no code that could be told for sure.
  const parts = line.includes('\\`') ? [line] : line.split('`');
  return parts
    .map((part, index) =>
      index % 2 === 1 && index < parts.length - 1 ? part : part.replace(MENTION, `$1@${GAP}`),
    )
    .join('`');
}
