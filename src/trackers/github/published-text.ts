/** What Legion writes for people to read on GitHub: notifies nobody by itself, and fits. */
import { marked } from '../../github/mark.ts';
import { TEXT_MAX } from '../../github/published-text.ts';
import { quiet } from '../../github/quiet-text.ts';
import { fitting, requireWhole } from '../fitting-text.ts';

/** The text as it is sent, with the mark `name` at its end. */
export function published(text: string, name: string): string {
  requireWhole(text);
  const room = TEXT_MAX - marked(' ', name).length + 1;
  return marked(fitting(quiet(text), room, 'GitHub'), name);
}
