/** What Legion writes for people to read on GitHub: notifies nobody by itself, and fits. */
import { LegionError } from '../../domain/fault.ts';
import { marked } from '../../github/mark.ts';
import { TEXT_MAX } from '../../github/published-text.ts';
import { quiet } from '../../github/quiet-text.ts';

const CUT = '\n\n… (cut: longer than GitHub takes)';

/** The text as it is sent, with the mark `name` at its end. */
export function published(text: string, name: string): string {
  if (!text.isWellFormed() || text.includes('\0'))
    throw new LegionError('input.invalid', 'text: holds a NUL or half a character');
  const sent = quiet(text);
  const room = TEXT_MAX - marked(' ', name).length + 1;
  return marked(sent.length <= room ? sent : `${cutAt(sent, room - CUT.length)}${CUT}`, name);
}

/** Never within a character. */
function cutAt(text: string, length: number): string {
  return text.slice(0, length).replace(/[\uD800-\uDBFF]$/, '');
}
