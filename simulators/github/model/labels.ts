/** Labels of a repository, and which of them an issue or a pull request carries. */

import { unprocessable } from './fault.ts';
import type { Account, Issue, Label, PullRequest, Repository } from './nodes.ts';
import type { World } from './world.ts';

const DEFAULT_COLOR = 'ededed';
/** GitHub's own limits. */
const LONGEST_NAME = 50;
const MOST_LABELS = 100;

export function findLabel(repository: Repository, name: string): Label | undefined {
  // A label's name is the same however it is capitalised.
  return repository.labels.find((label) => label.name.toLowerCase() === name.toLowerCase());
}

export function createLabel(
  world: World,
  repository: Repository,
  name: string,
  { color = DEFAULT_COLOR, description }: { color?: string; description?: string | null | undefined } = {},
): Label {
  if (name.trim() === '') throw unprocessable("Name can't be blank");
  if (name.length > LONGEST_NAME) throw unprocessable('Name is too long (maximum is 50 characters)');
  if (!/^[0-9a-f]{6}$/i.test(color)) throw unprocessable('Color is invalid');
  if (findLabel(repository, name) !== undefined) throw unprocessable('Name has already been taken');
  const label = world.add<Label>({
    ...world.identity('LA'),
    type: 'Label',
    repository,
    name,
    color: color.toLowerCase(),
    description: description ?? null,
  });
  repository.labels.push(label);
  return label;
}

export function addLabels(
  world: World,
  by: Account,
  thread: Issue | PullRequest,
  labels: readonly Label[],
): void {
  const missing = labels.filter((label) => !thread.labels.includes(label));
  if (thread.labels.length + missing.length > MOST_LABELS) throw unprocessable('Too many labels');
  for (const label of missing) {
    thread.labels.push(label);
    thread.updatedAt = world.now();
    tell(world, by, thread, 'labeled', label);
  }
}

export function removeLabels(
  world: World,
  by: Account,
  thread: Issue | PullRequest,
  labels: readonly Label[],
): void {
  for (const label of labels) {
    if (!thread.labels.includes(label)) continue;
    thread.labels = thread.labels.filter((each) => each !== label);
    thread.updatedAt = world.now();
    tell(world, by, thread, 'unlabeled', label);
  }
}

function tell(
  world: World,
  by: Account,
  thread: Issue | PullRequest,
  action: 'labeled' | 'unlabeled',
  label: Label,
): void {
  if (thread.type === 'Issue') world.changed({ event: 'issues', action, by, issue: thread, label });
  else world.changed({ event: 'pull_request', action, by, pullRequest: thread, label });
}
