/** What Legion has written on GitHub for people to read. */
import { unmarked } from './mark.ts';
import { loud } from './quiet-text.ts';

/** Characters; what GitHub takes for a comment, or the text of an issue, a pull request or a review. */
export const TEXT_MAX = 65_536;

/** What was published, as it was written: without the mark and with its mentions. */
export function asWritten(body: string): string {
  return loud(unmarked(body).text);
}
