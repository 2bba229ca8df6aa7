/** Issues: opened, edited, closed, opened again, put below one another and blocked by one another. */
import { unprocessable } from './fault.ts';
import { addLabels } from './labels.ts';
import type { Account, Issue, Label, PullRequest, Repository, StateEvent } from './nodes.ts';
import type { World } from './world.ts';

/** GitHub's own limits, in characters. */
const LONGEST_TITLE = 256;
const LONGEST_BODY = 65_536;

export interface IssueText {
  readonly title: string;
  readonly body: string;
  readonly labels?: readonly Label[];
  readonly parent?: Issue | undefined;
}

export function createIssue(world: World, by: Account, repository: Repository, text: IssueText): Issue {
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
  world: World,
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
  world: World,
  by: Account,
  issue: Issue,
  how: { readonly reason?: Issue['stateReason']; readonly closer?: PullRequest } = {},
): void {
  if (issue.state === 'CLOSED') return;
  issue.state = 'CLOSED';
  issue.stateReason = how.reason ?? 'COMPLETED';
  issue.closedAt = world.now();
  stateEvent(world, by, issue, 'ClosedEvent', how.closer);
  world.changed({ event: 'issues', action: 'closed', by, issue });
}

export function reopenIssue(world: World, by: Account, issue: Issue): void {
  if (issue.state === 'OPEN') return;
  issue.state = 'OPEN';
  issue.stateReason = 'REOPENED';
  issue.closedAt = undefined;
  stateEvent(world, by, issue, 'ReopenedEvent');
  world.changed({ event: 'issues', action: 'reopened', by, issue });
}

export function addSubIssue(world: World, parent: Issue, child: Issue, replace: boolean): void {
  if (child.parent === parent) throw unprocessable('Issue may not contain duplicate sub-issues');
  if (child.parent !== undefined && !replace) throw unprocessable('Sub issue may only have one parent');
  for (let above: Issue | undefined = parent; above !== undefined; above = above.parent) {
    if (above === child) throw unprocessable('Sub issue cannot be an ancestor of its parent');
  }
  child.parent?.subIssues.splice(child.parent.subIssues.indexOf(child), 1);
  child.parent = parent;
  parent.subIssues.push(child);
  // Both get an entry in their timelines.
  parent.updatedAt = world.now();
  child.updatedAt = world.now();
}

export function removeSubIssue(world: World, parent: Issue, child: Issue): void {
  if (child.parent !== parent) throw unprocessable('The provided sub-issue is not a sub-issue of the parent');
  parent.subIssues.splice(parent.subIssues.indexOf(child), 1);
  child.parent = undefined;
  parent.updatedAt = world.now();
  child.updatedAt = world.now();
}

/** Native dependencies; an entry in the timelines of both, so both count as updated. Not documented whether they really do. */
export function blockIssue(world: World, issue: Issue, by: Issue): void {
  if (issue === by) throw unprocessable('An issue cannot block itself');
  if (issue.blockedBy.includes(by)) throw unprocessable('The dependency already exists');
  issue.blockedBy.push(by);
  issue.updatedAt = world.now();
  by.updatedAt = world.now();
}

export function unblockIssue(world: World, issue: Issue, by: Issue): boolean {
  const at = issue.blockedBy.indexOf(by);
  if (at < 0) return false;
  issue.blockedBy.splice(at, 1);
  issue.updatedAt = world.now();
  by.updatedAt = world.now();
  return true;
}

export function stateEvent(
  world: World,
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
  if (title.trim() === '') throw unprocessable("Title can't be blank");
  if (title.length > LONGEST_TITLE) throw unprocessable('Title is too long (maximum is 256 characters)');
  if (body.length > LONGEST_BODY) throw unprocessable('Body is too long (maximum is 65536 characters)');
}
