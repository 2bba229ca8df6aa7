/**
 * Checks ids and text for trackers, normalizes label names, and reports unknown issues and
 * malformed comments.
 */
import { LegionError } from '../../core/model/fault.ts';
import { toPlainLine } from '../../core/model/format.ts';
import { type IssueId, readIssueId } from '../../core/model/ids.ts';
import type { Issue } from '../../core/model/issue.ts';
import { LABELS } from '../../core/model/label.ts';
import { unwrap } from '../../lib/result.ts';

export function requireIssueId(id: IssueId): IssueId {
  return unwrap(readIssueId(String(id)));
}

export function createUnknownIssueFault(id: IssueId): LegionError {
  return new LegionError('tracker.issue_unknown', `${id} is not on the board`);
}

/**
 * Throws for text that contains a NUL character or a lone surrogate, because services would alter
 * it.
 */
export function requireWellFormed(text: string): void {
  if (!text.isWellFormed() || text.includes('\0'))
    throw new LegionError('input.invalid', 'text: contains a NUL character or a lone surrogate');
}

/** Maximum length of a comment. GitHub's limit, applied to local boards and forges as well. */
export const MAX_COMMENT_CHARACTERS = 65_536;

/**
 * Returns at most `length` characters. A truncated text ends with a note that mentions the service.
 */
export function trimToLength(text: string, length: number, service: string): string {
  const cut = `\n\n… (truncated: longer than ${service} allows)`;
  return text.length <= length ? text : `${trimAtCharacter(text, length - cut.length)}${cut}`;
}

/** Truncates without splitting a surrogate pair. */
function trimAtCharacter(text: string, length: number): string {
  return text.slice(0, length).replace(/[\uD800-\uDBFF]$/, '');
}

/** Services treat labels as case-insensitive, so "Worker-Done" maps to Legion's own spelling. */
const OWN_LABELS: ReadonlyMap<string, string> = new Map(LABELS.map((label) => [label.toLowerCase(), label]));

/**
 * Normalizes the label names of an issue, because people may create labels in the service with any
 * spelling.
 */
export function toLabelNames(labels: readonly { readonly name: string }[]): readonly string[] {
  const names = labels.map(({ name }) => toPlainLine(name)).filter((name) => name !== '');
  return names.map((name) => OWN_LABELS.get(name.toLowerCase()) ?? name).toSorted();
}

/** Selects the authors whose text may steer workers, besides people with write access. */
export interface AuthorPolicy {
  /** `anyone` lets everyone who may open or comment on an issue steer workers. */
  readonly trust: 'writers' | 'anyone';
  /**
   * Further accounts that are treated as writers: GitHub logins, Linear names or e-mail addresses.
   */
  readonly also: readonly string[];
}

/** Adds a problem to each issue that has malformed comments. Such comments were left out. */
export function withCommentProblems(
  issues: readonly Issue[],
  getProblems: (issue: IssueId) => readonly string[],
): readonly Issue[] {
  return issues.map((issue) => {
    const [first] = getProblems(issue.id);
    if (first === undefined) return issue;
    const text = `A comment on this issue is malformed and was left out: ${first}. Next step: edit or delete the comment.`;
    return { ...issue, problems: [...(issue.problems ?? []), { text, holds: false }] };
  });
}
