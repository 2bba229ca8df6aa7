/** What of a Markdown text is prose: code, comments and quotations are somebody's example, not somebody's word. */

export interface Line {
  readonly text: string;
  readonly isCode: boolean;
}

/** Up to three blanks, then at least three marks, as CommonMark has it; what follows the marks may not close a fence. */
const FENCE = /^ {0,3}(`{3,}|~{3,})(.*)$/;

/**
 * The lines of a text as they are, each with whether it is fenced code. A fence that is never closed goes on to the end. Code
 * by indentation is not told apart: in a list the same is prose.
 */
export function linesOf(markdown: string): readonly Line[] {
  let open: { readonly mark: string; readonly length: number } | undefined;
  return markdown.split('\n').map((text) => {
    const [, marks = '', rest = ''] = FENCE.exec(text.replace(/\r$/, '')) ?? [];
    const mark = marks.slice(0, 1);
    if (open === undefined) {
      // A backtick after the marks makes it code within a line.
      const opens = marks !== '' && !(mark === '`' && rest.includes('`'));
      if (opens) open = { mark, length: marks.length };
      return { text, isCode: opens };
    }
    if (mark === open.mark && marks.length >= open.length && rest.trim() === '') open = undefined;
    return { text, isCode: true };
  });
}

/** The lines somebody has written for others to read. */
export function proseLines(markdown: string): readonly string[] {
  return linesOf(withoutComments(markdown))
    .filter(({ text, isCode }) => !isCode && !/^ {0,3}>/.test(text))
    .map(({ text }) => text.replace(/\r$/, ''));
}

/** A comment that is never closed hides all that follows, as it does on the page. */
function withoutComments(markdown: string): string {
  let kept = '';
  let at = 0;
  while (at < markdown.length) {
    const start = markdown.indexOf('<!--', at);
    if (start < 0) return kept + markdown.slice(at);
    kept += markdown.slice(at, start);
    const end = markdown.indexOf('-->', start + 4);
    if (end < 0) return kept;
    at = end + 3;
  }
  return kept;
}
