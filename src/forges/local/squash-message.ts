/** The message of the one commit a pull request becomes. */
import type { PullRequestRecord } from './record.ts';

/** Longer texts are for the pull request, not for the history. */
const LONGEST_BODY = 8_192;

/** A keyword a forge closes an issue by, and what it names. */
const CLOSING =
  /\b(?:close[sd]?|fix(?:e[sd])?|resolve[sd]?):?\s+([\w.-]*(?:\/[\w.-]+)?#\d+|[A-Za-z0-9][\w.-]*)/gi;

/** The trailers stand in a last paragraph of their own, where text of the body cannot pass for them. */
export function squashMessage(record: PullRequestRecord, headSha: string): string {
  const body = record.body.slice(0, LONGEST_BODY).trim();
  const named = record.reverts !== undefined || namesIssue(body, record.issue); // a revert closes nothing
  const closing = named ? '' : `Closes ${record.issue}`;
  const trailers = [
    `Legion-Issue: ${record.issue}`,
    `Legion-Pull-Request: ${record.number}`,
    `Legion-Head: ${headSha}`,
    ...(record.reverts === undefined ? [] : [revertTrailer(record.reverts)]),
  ];
  const paragraphs = [`${record.title} (#${record.number})`, body, closing, trailers.join('\n')];
  return `${paragraphs.filter((paragraph) => paragraph !== '').join('\n\n')}\n`;
}

export const revertTrailer = (number: number): string => `Legion-Reverts: ${number}`;

/** A number is the form of another tracker's issue; the issue's own id is the form of ours. */
function namesIssue(body: string, issue: string): boolean {
  return [...body.matchAll(CLOSING)].some(([, named = '']) => {
    const bare = named.replace(/\.+$/, '').toLowerCase();
    return bare.includes('#') || bare === issue.toLowerCase();
  });
}
