/** Issues for tests, and helpers to put them on a board and read them. */
import type { IssueId } from '../../../src/core/model/ids.ts';
import type { Issue } from '../../../src/core/model/issue.ts';
import type { Label } from '../../../src/core/model/label.ts';
import { type ObservedStatus, readStatus } from '../../../src/core/model/status.ts';
import type { IssueChange, IssueComment, NewIssue, Tracker } from '../../../src/ports/tracker.ts';

export const NEW_ISSUE: NewIssue = {
  title: 'Print JSON',
  body: 'The `export` command should print JSON.',
  status: 'Triage',
  labels: [],
  priority: 0,
  blockedBy: [],
};

/** A signal that is never aborted. */
export const SIGNAL = new AbortController().signal;

export function put(tracker: Tracker, key: string, parts: Partial<NewIssue> = {}): Promise<IssueId> {
  return tracker.create(key, { ...NEW_ISSUE, ...parts });
}

export async function look(tracker: Tracker, issue: IssueId): Promise<Issue> {
  const found = await tracker.read(issue, SIGNAL);
  if (found === undefined) throw new Error(`${issue} is not on the board`);
  return found;
}

export async function statusOf(tracker: Tracker, issue: IssueId): Promise<ObservedStatus> {
  return readStatus((await look(tracker, issue)).column);
}

export async function labelsOf(tracker: Tracker, issue: IssueId): Promise<string[]> {
  return [...(await look(tracker, issue)).labels].sort();
}

export function comments(tracker: Tracker, issue: IssueId, since = 0): Promise<readonly IssueComment[]> {
  return tracker.commentsSince(issue, since, SIGNAL);
}

export function labels(add: readonly Label[], remove: readonly Label[] = []): IssueChange {
  return { labels: { add, remove } };
}
