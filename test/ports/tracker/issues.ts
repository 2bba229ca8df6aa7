/** Issues for tests, and short ways to put them on a board and look at them. */
import type { IssueId } from '../../../src/core/model/ids.ts';
import { readStatus, type SeenStatus } from '../../../src/core/model/status.ts';
import type { Issue } from '../../../src/domain/issue.ts';
import type { Label } from '../../../src/domain/label.ts';
import type { Comment, IssueChange, NewIssue, Tracker } from '../../../src/ports/tracker.ts';

export const NEW_ISSUE: NewIssue = {
  title: 'Print JSON',
  body: 'The `export` command should print JSON.',
  status: 'Triage',
  labels: [],
  priority: 0,
  blockedBy: [],
};

/** Never aborted. */
export const SIGNAL = new AbortController().signal;

export function put(tracker: Tracker, key: string, parts: Partial<NewIssue> = {}): Promise<IssueId> {
  return tracker.create(key, { ...NEW_ISSUE, ...parts });
}

export async function look(tracker: Tracker, issue: IssueId): Promise<Issue> {
  const found = await tracker.read(issue, SIGNAL);
  if (found === undefined) throw new Error(`${issue} is not on the board`);
  return found;
}

export async function statusOf(tracker: Tracker, issue: IssueId): Promise<SeenStatus> {
  return readStatus((await look(tracker, issue)).column);
}

export async function labelsOf(tracker: Tracker, issue: IssueId): Promise<string[]> {
  return [...(await look(tracker, issue)).labels].sort();
}

export function comments(tracker: Tracker, issue: IssueId, since = 0): Promise<readonly Comment[]> {
  return tracker.commentsSince(issue, since, SIGNAL);
}

export function labels(add: readonly Label[], remove: readonly Label[] = []): IssueChange {
  return { labels: { add, remove } };
}
