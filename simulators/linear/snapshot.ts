/** The workspace as plain data, for a test to compare at its end. */
import { type Issue, identifierOf } from './model/nodes.ts';
import { statesOf } from './model/teams.ts';
import type { World } from './model/world.ts';
import type { LinearSnapshot } from './simulator.ts';

export function snapshotOf(world: World): LinearSnapshot {
  return {
    issues: world.all('Issue').map((issue) => ({
      identifier: identifierOf(issue),
      team: issue.team.key,
      title: issue.title,
      description: issue.description ?? '',
      state: issue.state.name,
      stateType: issue.state.kind,
      labels: issue.labels.map(({ name }) => name),
      priority: issue.priority,
      assignee: issue.assignee?.name ?? null,
      archived: issue.archivedAt !== undefined,
      trashed: issue.trashed,
      blockedBy: blockersOf(world, issue),
      attachments: world.all('Attachment').flatMap((each) => (each.issue === issue ? [each.url] : [])),
      comments: world
        .all('Comment')
        .filter((each) => each.issue === issue)
        .map(({ id, user, external, body }) => ({ id, author: user?.name ?? external?.name ?? '', body })),
    })),
    states: Object.fromEntries(
      world
        .all('Team')
        .map((team) => [team.key, statesOf(world, team).map(({ name, kind }) => ({ name, type: kind }))]),
    ),
    labels: world.all('IssueLabel').map(({ name, team }) => ({ name, team: team?.key ?? null })),
  };
}

function blockersOf(world: World, issue: Issue): string[] {
  return world
    .all('IssueRelation')
    .filter(({ kind, related }) => kind === 'blocks' && related === issue)
    .map((relation) => identifierOf(relation.issue));
}
