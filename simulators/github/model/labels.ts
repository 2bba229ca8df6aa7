/** Manages labels of a repository, and those on issues and pull requests. */

import { toUnprocessable } from './fault.ts';
import type { Account, Issue, Label, PullRequest, Repository } from './nodes.ts';
import type { GithubWorld } from './world.ts';

const DEFAULT_COLOR = 'ededed';
/** GitHub's limits. */
const MAX_LABEL_CHARACTERS = 50;
const MAX_LABELS = 100;

export function findLabel(repository: Repository, name: string): Label | undefined {
  // Label names are case-insensitive.
  return repository.labels.find((label) => label.name.toLowerCase() === name.toLowerCase());
}

export function createLabel(
  world: GithubWorld,
  repository: Repository,
  name: string,
  { color = DEFAULT_COLOR, description }: { color?: string; description?: string | null | undefined } = {},
): Label {
  if (name.trim() === '') throw toUnprocessable("Name can't be blank");
  if (name.length > MAX_LABEL_CHARACTERS)
    throw toUnprocessable('Name is too long (maximum is 50 characters)');
  if (!/^[0-9a-f]{6}$/i.test(color)) throw toUnprocessable('Color is invalid');
  if (findLabel(repository, name) !== undefined) throw toUnprocessable('Name has already been taken');
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
  world: GithubWorld,
  by: Account,
  thread: Issue | PullRequest,
  labels: readonly Label[],
): void {
  const missing = labels.filter((label) => !thread.labels.includes(label));
  if (thread.labels.length + missing.length > MAX_LABELS) throw toUnprocessable('Too many labels');
  for (const label of missing) {
    thread.labels.push(label);
    thread.updatedAt = world.now();
    emitLabelChange(world, by, thread, 'labeled', label);
  }
}

export function removeLabels(
  world: GithubWorld,
  by: Account,
  thread: Issue | PullRequest,
  labels: readonly Label[],
): void {
  for (const label of labels) {
    if (!thread.labels.includes(label)) continue;
    thread.labels = thread.labels.filter((each) => each !== label);
    thread.updatedAt = world.now();
    emitLabelChange(world, by, thread, 'unlabeled', label);
  }
}

function emitLabelChange(
  world: GithubWorld,
  by: Account,
  thread: Issue | PullRequest,
  action: 'labeled' | 'unlabeled',
  label: Label,
): void {
  if (thread.type === 'Issue') world.changed({ event: 'issues', action, by, issue: thread, label });
  else world.changed({ event: 'pull_request', action, by, pullRequest: thread, label });
}
