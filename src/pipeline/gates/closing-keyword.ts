/** Whether a pull request's text names the issue it closes, and the line to add where it does not. */
import type { Issue } from '../../domain/issue.ts';

/** The keyword forms a forge acts upon, then one reference, only looked at: it may itself be a keyword. */
const CLOSING =
  /\b(?:close[sd]?|fix(?:e[sd])?|resolve[sd]?):?\s+(?=([\w.-]+\/[\w.-]+#\d+(?!\w)|#\d+(?!\w)|[A-Za-z0-9][\w.-]*))/gi;

export function namesIssue(body: string, issue: Pick<Issue, 'id' | 'source'>): boolean {
  const wanted = references(issue).map((reference) => reference.toLowerCase());
  for (const match of body.matchAll(CLOSING)) {
    const named = (match[1] ?? '').toLowerCase();
    if (wanted.some((reference) => isReference(named, reference))) return true;
  }
  return false;
}

/** A sentence may end right after the reference. */
function isReference(named: string, reference: string): boolean {
  return named.startsWith(reference) && /^\.*$/.test(named.slice(reference.length));
}

export function closingLine(issue: Pick<Issue, 'id' | 'source'>): string {
  return `Closes ${references(issue)[0]}`;
}

function references({ id, source }: Pick<Issue, 'id' | 'source'>): [string, ...string[]] {
  switch (source.kind) {
    case 'github':
      return [`#${source.number}`, `${source.owner}/${source.repo}#${source.number}`];
    case 'linear':
      return [source.identifier];
    case 'local':
      return [id];
  }
}
