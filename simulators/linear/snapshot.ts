/** Returns the workspace as plain data for comparisons in tests. */
import { formatIdentifier, type Issue } from './model/nodes.ts';
import { listTeamStates } from './model/teams.ts';
import type { LinearWorld } from './model/world.ts';
import type { LinearSnapshot } from './simulator.ts';

export function createSnapshot(world: LinearWorld): LinearSnapshot {
  return {
    issues: world.all('Issue').map((issue) => ({
      identifier: formatIdentifier(issue),
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
      blockedBy: listBlockers(world, issue),
      attachments: world.all('Attachment').flatMap((each) => (each.issue === issue ? [each.url] : [])),
      comments: world
        .all('Comment')
        .filter((each) => each.issue === issue)
        .map(({ id, user, external, body }) => ({ id, author: user?.name ?? external?.name ?? '', body })),
    })),
    states: Object.fromEntries(
      world
        .all('Team')
        .map((team) => [
          team.key,
          listTeamStates(world, team).map(({ name, kind }) => ({ name, type: kind })),
        ]),
    ),
    labels: world.all('IssueLabel').map(({ name, team }) => ({ name, team: team?.key ?? null })),
  };
}

function listBlockers(world: LinearWorld, issue: Issue): string[] {
  return world
    .all('IssueRelation')
    .filter(({ kind, related }) => kind === 'blocks' && related === issue)
    .map((relation) => formatIdentifier(relation.issue));
}
