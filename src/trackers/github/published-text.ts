/** What Legion writes for people to read on GitHub: notifies nobody by itself, and fits. */
import { LegionError } from '../../domain/fault.ts';
import { marked, unmarked } from '../../github/mark.ts';
import { linesOf } from './prose.ts';

/** Characters; what GitHub takes for a comment or an issue's text. */
const TEXT_MAX = 65_536;
const CUT = '\n\n… (cut: longer than GitHub takes)';

/**
 * A mention in what a worker has written, or quotes, would notify whomever an outsider has named and may start other
 * programs that listen for their names. Those who follow the issue hear of it anyway. So something invisible stands between
 * the sign and the name, except in code, where GitHub makes no mentions and people copy.
 */
const GAP = '\u2060';
const MENTION = /(^|[^\w/@])@(?=[A-Za-z0-9])/g;

/** The text as it is sent, with the mark `name` at its end. */
export function published(text: string, name: string): string {
  if (!text.isWellFormed() || text.includes('\0'))
    throw new LegionError('input.invalid', 'text: holds a NUL or half a character');
  const quiet = withoutMentions(text);
  const room = TEXT_MAX - marked(' ', name).length + 1;
  return marked(quiet.length <= room ? quiet : `${cutAt(quiet, room - CUT.length)}${CUT}`, name);
}

/** What was published, as it was written. */
export function asWritten(body: string): string {
  return unmarked(body).text.replaceAll(`@${GAP}`, '@');
}

function withoutMentions(text: string): string {
  return linesOf(text)
    .map((line) => (line.isCode ? line.text : outsideCode(line.text)))
    .join('\n');
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

/** Never within a character. */
function cutAt(text: string, length: number): string {
  return text.slice(0, length).replace(/[\uD800-\uDBFF]$/, '');
}
