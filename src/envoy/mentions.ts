/** Whether a comment speaks to Legion by one of its names, and as much of it as a notice carries. */
import { ownWords } from './prose.ts';

/** Always heard, whatever Legion's accounts are called. */
export const OWN_NAME = 'legion';

/** Characters of the comment that go along; the rest is at the service. */
export const MENTION_MOST_CHARACTERS = 2_000;

/** `@name` in the author's own words: not within a word or an address, and not the beginning of a longer name or of a team's. */
export function mentions(markdown: string, names: readonly string[]): boolean {
  const known = names
    .filter((name) => name !== '')
    .map((name) => name.replaceAll(/[^\p{L}\p{N}\s]/gu, String.raw`\$&`));
  const mention = new RegExp(String.raw`(?<![\w@/.\x60\-])@(?:${known.join('|')})(?![\w/\-]|\.\w)`, 'i');
  return known.length > 0 && mention.test(ownWords(markdown));
}

export function cutForNotice(text: string): string {
  const characters = [...text];
  if (characters.length <= MENTION_MOST_CHARACTERS) return text;
  return `${characters.slice(0, MENTION_MOST_CHARACTERS).join('')}…`;
}
