/** What Legion sends to Linear: checked before anything is asked, and short enough. */
import { LegionError } from '../../core/model/fault.ts';
import { fitting, requireWhole } from '../fitting-text.ts';

/** Characters; what the other trackers take, so that an issue can move between them. */
const TITLE_MAX = 256;
/** Characters; what GitHub takes. Linear names no limit, and nobody reads more. */
const TEXT_MAX = 65_536;

export function acceptedKey(key: string): string {
  if (!key.isWellFormed() || key === '')
    throw new LegionError('input.invalid', 'key: is empty or holds half a character');
  return key;
}

export function acceptedTitle(title: string): string {
  requireWhole(title);
  if (title.trim() === '' || title.length > TITLE_MAX)
    throw new LegionError('input.invalid', `title: is empty or longer than ${TITLE_MAX} characters`);
  return title;
}

export function acceptedText(text: string): string {
  requireWhole(text);
  return fitting(text, TEXT_MAX, 'Linear');
}
