/** Detects comments that mention Legion, and truncates such a comment for a notice. */

/** Name that is always recognized, whatever the names of Legion's accounts. */
export const OWN_NAME = 'legion';

/** Maximum number of characters of the comment that a notice quotes. The service has the rest. */
export const MAX_MENTION_CHARACTERS = 2_000;

/**
 * Matches `@name` in the author's own text: not within a word or address, and not as a prefix of a
 * longer name or a team.
 */
export function hasMention(markdown: string, names: readonly string[]): boolean {
  const known = names
    .filter((name) => name !== '')
    .map((name) => name.replaceAll(/[^\p{L}\p{N}\s]/gu, String.raw`\$&`));
  const mention = new RegExp(String.raw`(?<![\w@/.\x60\-])@(?:${known.join('|')})(?![\w/\-]|\.\w)`, 'i');
  return known.length > 0 && mention.test(extractOwnWords(markdown));
}

export function trimForNotice(text: string): string {
  const characters = [...text];
  if (characters.length <= MAX_MENTION_CHARACTERS) return text;
  return `${characters.slice(0, MAX_MENTION_CHARACTERS).join('')}…`;
}

const FENCE = /^ {0,3}(`{3,}|~{3,})/;
const QUOTE = /^ {0,3}>/;
const INDENTED = /^(?: {4}|\t)/;

/** Extracts the author's own text from a comment: without code, quotes and hidden parts. */
export function extractOwnWords(markdown: string): string {
  const visible = markdown.replaceAll(/\r\n?/g, '\n').replaceAll(/<!--[\s\S]*?(?:-->|$)/g, ' ');
  const plain = stripBlocks(visible.split('\n')).join('\n');
  return plain
    .replaceAll(/<(pre|code|blockquote)\b[\s\S]*?(?:<\/\1\s*>|$)/gi, ' ')
    .replaceAll(/(?<!`)(`+)(?!`)[\s\S]*?[^`]\1(?!`)/g, ' ');
}

function stripBlocks(lines: readonly string[]): string[] {
  const output: string[] = [];
  let openFence: string | undefined;
  let isQuoted = false;
  let isAfterBlank = true;
  for (const line of lines) {
    const isBlank = line.trim() === '';
    const [, mark] = FENCE.exec(line) ?? [];
    if (openFence !== undefined) {
      // A code block is closed by a line with at least as many of the same characters and nothing
      // else. An unclosed block extends to the end.
      if (mark?.startsWith(openFence) === true && line.trim() === mark) openFence = undefined;
    } else if (mark !== undefined) {
      openFence = mark;
      isQuoted = false;
    } else if (isBlank) {
      isQuoted = false;
      output.push('');
    } else if (QUOTE.test(line)) {
      isQuoted = true;
    } else if (!isQuoted && !(isAfterBlank && INDENTED.test(line))) {
      // This excludes lines that directly follow a quote without a blank line in between: they
      // belong to the quote, as on GitHub.
      output.push(line);
    }
    // An indented code block continues until a line is indented less.
    isAfterBlank = isBlank || (isAfterBlank && INDENTED.test(line));
  }
  return output;
}
