/** The message of the one commit a pull request becomes. */
/** Longer texts are for the pull request, not for the history. */
const LONGEST_BODY = 8_192;

/** A keyword a forge closes an issue by, and what it names. */
const CLOSING =
  /\b(?:close[sd]?|fix(?:e[sd])?|resolve[sd]?):?\s+([\w.-]*(?:\/[\w.-]+)?#\d+|[A-Za-z0-9][\w.-]*)/gi;

export interface Squashed {
  readonly number: number;
  readonly title: string;
  readonly body: string;
  readonly headSha: string;
  /** None for a pull request that belongs to no issue. */
  readonly issue?: string | undefined;
  /** The issue as a closing keyword names it; by its id where absent. */
  readonly closes?: string | undefined;
  /** The pull request this one undoes. */
  readonly reverts?: number | undefined;
}

/** The trailers stand in a last paragraph of their own, where text of the body cannot pass for them. */
export function squashMessage(squashed: Squashed): string {
  const { number, title, headSha, issue, closes = issue, reverts } = squashed;
  const body = squashed.body.slice(0, LONGEST_BODY).trim();
  const trailers = [
    ...(issue === undefined ? [] : [`Legion-Issue: ${issue}`]),
    `Legion-Pull-Request: ${number}`,
    `Legion-Head: ${headSha}`,
    ...(reverts === undefined ? [] : [revertTrailer(reverts)]),
  ];
  const named = reverts !== undefined || issue === undefined || namesIssue(body, issue); // a revert closes nothing
  const closing = named ? '' : `Closes ${closes}`;
  const paragraphs = [`${title} (#${number})`, body, closing, trailers.join('\n')];
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
