/** Manages issues: opens, edits, closes and reopens them, and sets parents and blockers. */
import { toUnprocessable } from './fault.ts';
import { addLabels } from './labels.ts';
import type { Account, Issue, Label, PullRequest, Repository, StateEvent } from './nodes.ts';
import type { GithubWorld } from './world.ts';

/** GitHub's limits, in characters. */
const MAX_TITLE_CHARACTERS = 256;
const MAX_BODY_CHARACTERS = 65_536;

export interface IssueText {
  readonly title: string;
  readonly body: string;
  readonly labels?: readonly Label[];
  readonly parent?: Issue | undefined;
}

export function createIssue(world: GithubWorld, by: Account, repository: Repository, text: IssueText): Issue {
  checkText(text.title, text.body);
  const identity = world.identity('I');
  const issue = world.add<Issue>({
    ...identity,
    type: 'Issue',
    repository,
    number: repository.threads.length + 1,
    author: by,
    title: text.title,
    body: text.body,
    labels: [],
    comments: [],
    events: [],
    closedAt: undefined,
    updatedAt: identity.createdAt,
    state: 'OPEN',
    stateReason: null,
    parent: undefined,
    subIssues: [],
    blockedBy: [],
  });
  repository.threads.push(issue);
  world.changed({ event: 'issues', action: 'opened', by, issue });
  addLabels(world, by, issue, text.labels ?? []);
  if (text.parent !== undefined) addSubIssue(world, text.parent, issue, false);
  return issue;
}

export function editIssue(
  world: GithubWorld,
  by: Account,
  issue: Issue,
  text: { readonly title?: string | null | undefined; readonly body?: string | null | undefined },
): void {
  checkText(text.title ?? issue.title, text.body ?? issue.body);
  issue.title = text.title ?? issue.title;
  issue.body = text.body ?? issue.body;
  issue.updatedAt = world.now();
  world.changed({ event: 'issues', action: 'edited', by, issue });
}

export function closeIssue(
  world: GithubWorld,
  by: Account,
  issue: Issue,
  how: { readonly reason?: Issue['stateReason']; readonly closer?: PullRequest } = {},
): void {
  if (issue.state === 'CLOSED') return;
  issue.state = 'CLOSED';
  issue.stateReason = how.reason ?? 'COMPLETED';
  issue.closedAt = world.now();
  recordStateEvent(world, by, issue, 'ClosedEvent', how.closer);
  world.changed({ event: 'issues', action: 'closed', by, issue });
}

export function reopenIssue(world: GithubWorld, by: Account, issue: Issue): void {
  if (issue.state === 'OPEN') return;
  issue.state = 'OPEN';
  issue.stateReason = 'REOPENED';
  issue.closedAt = undefined;
  recordStateEvent(world, by, issue, 'ReopenedEvent');
  world.changed({ event: 'issues', action: 'reopened', by, issue });
}

export function addSubIssue(world: GithubWorld, parent: Issue, child: Issue, replace: boolean): void {
  if (child.parent === parent) throw toUnprocessable('Issue may not contain duplicate sub-issues');
  if (child.parent !== undefined && !replace) throw toUnprocessable('Sub issue may only have one parent');
  for (let above: Issue | undefined = parent; above !== undefined; above = above.parent) {
    if (above === child) throw toUnprocessable('Sub issue cannot be an ancestor of its parent');
  }
  child.parent?.subIssues.splice(child.parent.subIssues.indexOf(child), 1);
  child.parent = parent;
  parent.subIssues.push(child);
  // Both issues get a timeline entry.
  parent.updatedAt = world.now();
  child.updatedAt = world.now();
}

export function removeSubIssue(world: GithubWorld, parent: Issue, child: Issue): void {
  if (child.parent !== parent)
    throw toUnprocessable('The provided sub-issue is not a sub-issue of the parent');
  parent.subIssues.splice(parent.subIssues.indexOf(child), 1);
  child.parent = undefined;
  parent.updatedAt = world.now();
  child.updatedAt = world.now();
}

/**
 * Adds a native dependency. Both issues get a timeline entry and a new update time, although GitHub
 * does not document whether they do.
 */
export function blockIssue(world: GithubWorld, issue: Issue, by: Issue): void {
  if (issue === by) throw toUnprocessable('An issue cannot block itself');
  if (issue.blockedBy.includes(by)) throw toUnprocessable('The dependency already exists');
  issue.blockedBy.push(by);
  issue.updatedAt = world.now();
  by.updatedAt = world.now();
}

export function unblockIssue(world: GithubWorld, issue: Issue, by: Issue): boolean {
  const at = issue.blockedBy.indexOf(by);
  if (at < 0) return false;
  issue.blockedBy.splice(at, 1);
  issue.updatedAt = world.now();
  by.updatedAt = world.now();
  return true;
}

export function recordStateEvent(
  world: GithubWorld,
  actor: Account,
  on: Issue | PullRequest,
  type: StateEvent['type'],
  closer?: PullRequest,
): void {
  const identity = world.identity(type === 'ClosedEvent' ? 'CE' : 'REE');
  on.events.push(world.add<StateEvent>({ ...identity, type, on, actor, closer }));
  on.updatedAt = world.now();
}

export function checkText(title: string, body: string): void {
  if (title.trim() === '') throw toUnprocessable("Title can't be blank");
  if (title.length > MAX_TITLE_CHARACTERS)
    throw toUnprocessable('Title is too long (maximum is 256 characters)');
  if (body.length > MAX_BODY_CHARACTERS)
    throw toUnprocessable('Body is too long (maximum is 65536 characters)');
}
