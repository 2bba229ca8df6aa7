/** What somebody says in a comment in his own words: without code, quotes, and what is not shown. */

const FENCE = /^ {0,3}(`{3,}|~{3,})/;
const QUOTE = /^ {0,3}>/;
const INDENTED = /^(?: {4}|\t)/;

export function ownWords(markdown: string): string {
  const shown = markdown.replaceAll(/\r\n?/g, '\n').replaceAll(/<!--[\s\S]*?(?:-->|$)/g, ' ');
  const plain = withoutBlocks(shown.split('\n')).join('\n');
  return plain
    .replaceAll(/<(pre|code|blockquote)\b[\s\S]*?(?:<\/\1\s*>|$)/gi, ' ')
    .replaceAll(/(?<!`)(`+)(?!`)[\s\S]*?[^`]\1(?!`)/g, ' ');
}

function withoutBlocks(lines: readonly string[]): string[] {
  const kept: string[] = [];
  let fence: string | undefined;
  let isQuoted = false;
  let isAfterBlank = true;
  for (const line of lines) {
    const isBlank = line.trim() === '';
    const [, mark] = FENCE.exec(line) ?? [];
    if (fence !== undefined) {
      // Closed by at least as many of the same marks and nothing else; where nothing closes it, it reaches to the end.
      if (mark?.startsWith(fence) === true && line.trim() === mark) fence = undefined;
    } else if (mark !== undefined) {
      fence = mark;
      isQuoted = false;
    } else if (isBlank) {
      isQuoted = false;
      kept.push('');
    } else if (QUOTE.test(line)) {
      isQuoted = true;
    } else if (!isQuoted && !(isAfterBlank && INDENTED.test(line))) {
      // What follows a quote without a blank line between still is one, as GitHub shows it.
      kept.push(line);
    }
    // A block of indented code goes on until something stands further left.
    isAfterBlank = isBlank || (isAfterBlank && INDENTED.test(line));
  }
  return kept;
}
