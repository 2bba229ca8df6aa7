/** What Legion writes for people to read on GitHub: notifies nobody by itself, and fits. */
import { LegionError } from '../../domain/fault.ts';
import { marked, unmarked } from '../../github/mark.ts';
import { loud, quiet } from '../../github/quiet-text.ts';

/** Characters; what GitHub takes for a comment or an issue's text. */
const TEXT_MAX = 65_536;
const CUT = '\n\n… (cut: longer than GitHub takes)';

/** The text as it is sent, with the mark `name` at its end. */
export function published(text: string, name: string): string {
  if (!text.isWellFormed() || text.includes('\0'))
    throw new LegionError('input.invalid', 'text: holds a NUL or half a character');
  const sent = quiet(text);
  const room = TEXT_MAX - marked(' ', name).length + 1;
  return marked(sent.length <= room ? sent : `${cutAt(sent, room - CUT.length)}${CUT}`, name);
}

/** What was published, as it was written. */
export function asWritten(body: string): string {
  return loud(unmarked(body).text);
}

/** Never within a character. */
function cutAt(text: string, length: number): string {
  return text.slice(0, length).replace(/[\uD800-\uDBFF]$/, '');
}
