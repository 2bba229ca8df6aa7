/**
 * An issue with everything that a tracker reports about it, the actions that an approval of it can
 * allow, and the keywords with which a pull request closes it.
 */
import type { IssueId } from './ids.ts';

/** The issue's location in its tracker. API calls use this and never parse an id. */
export type IssueSource =
  | { readonly kind: 'local' }
  | { readonly kind: 'github'; readonly owner: string; readonly repo: string; readonly number: number }
  | { readonly kind: 'linear'; readonly uuid: string; readonly identifier: string };

/**
 * 1 is the most urgent, 4 the least, 0 means no priority. These are Linear's numbers, because the
 * other trackers have none.
 */
export type IssuePriority = 0 | 1 | 2 | 3 | 4;

export interface Issue {
  readonly id: IssueId;
  readonly source: IssueSource;
  readonly title: string;
  readonly body: string;
  /** The board's own column name, uninterpreted. */
  readonly column: string;
  readonly labels: readonly string[];
  readonly priority: IssuePriority;
  readonly createdAt: number;
  /** When the issue entered its current column. Absent if the tracker does not report it. */
  readonly enteredStatusAt?: number;
  /**
   * Author of the text, and whether that author may write to the repository. Absent if every author
   * may.
   */
  readonly writtenBy?: { readonly name: string; readonly mayWrite: boolean };
  /** The issue from which this one was split. */
  readonly parent?: IssueId;
  /** The project it belongs to, if the tracker has projects. It may select the repository. */
  readonly project?: string;
  /** The tracker's assignee, for display only. No decision depends on it. */
  readonly assignee?: string;
  /** Attached URLs, such as that of its pull request. */
  readonly links?: readonly string[];
  /** Issues that must be done first and are not done yet. */
  readonly openBlockers: readonly IssueId[];
  /** Parts of the issue that could not be read. Absent if everything was read. */
  readonly problems?: readonly IssueProblem[] | undefined;
}

/** A defect in one issue's own record. It is shown on that issue and affects no other. */
export interface IssueProblem {
  /** Subject, problem and next step, ready to display. */
  readonly text: string;
  /** If true, no worker starts on the issue while the problem lasts. */
  readonly holds: boolean;
}

/**
 * Actions that a person's approval of an issue can allow. The inbox and the issue's page share
 * these names.
 */
export const APPROVAL_SUBJECTS = ['specification', 'restart', 'merge'] as const;
export type ApprovalSubject = (typeof APPROVAL_SUBJECTS)[number];

/** Results of the pipeline that a person can send back with a reason. */
export const REJECTION_SUBJECTS = ['specification', 'plan', 'merge'] as const;
export type RejectionSubject = (typeof REJECTION_SUBJECTS)[number];

/** Where a person gave a decision: a command, the dashboard, an API client or the tracker. */
export const ENTRY_POINTS = ['cli', 'dashboard', 'http', 'comment', 'label'] as const;
export type EntryPoint = (typeof ENTRY_POINTS)[number];

/** Checks the status first, because an issue that is worked on again keeps the label `rollback`. */
export function resolveApprovalSubject(status: string, labels: readonly string[]): ApprovalSubject {
  if (status === 'Retro') return 'merge';
  return labels.includes('rollback') ? 'restart' : 'specification';
}

/**
 * Matches the keywords that forges act on, then one reference. The reference is matched by
 * lookahead, because it may itself be a keyword.
 */
const CLOSING_KEYWORD =
  /\b(?:close[sd]?|fix(?:e[sd])?|resolve[sd]?):?\s+(?=([\w.-]+\/[\w.-]+#\d+(?!\w)|#\d+(?!\w)|[A-Za-z0-9][\w.-]*))/gi;

/** Returns whether a pull request's text declares that it closes the issue. */
export function hasClosingKeyword(body: string, issue: Pick<Issue, 'id' | 'source'>): boolean {
  const wanted = listIssueReferences(issue).map((reference) => reference.toLowerCase());
  for (const match of body.matchAll(CLOSING_KEYWORD)) {
    const named = (match[1] ?? '').toLowerCase();
    if (wanted.some((reference) => isReference(named, reference))) return true;
  }
  return false;
}

/**
 * Returns whether the text is the reference, possibly followed by full stops that end a sentence.
 */
function isReference(named: string, reference: string): boolean {
  return named.startsWith(reference) && /^\.*$/.test(named.slice(reference.length));
}

/** Builds the line to add to a pull request that does not mention its issue. */
export function formatClosingLine(issue: Pick<Issue, 'id' | 'source'>): string {
  return `Closes ${listIssueReferences(issue)[0]}`;
}

function listIssueReferences({ id, source }: Pick<Issue, 'id' | 'source'>): [string, ...string[]] {
  switch (source.kind) {
    case 'github':
      return [`#${source.number}`, `${source.owner}/${source.repo}#${source.number}`];
    case 'linear':
      return [source.identifier];
    case 'local':
      return [id];
  }
}
