/**
 * Chooses the state and labels of an issue that moves to another team. Prefers those with the same
 * names.
 */
import { findLabel } from './labels.ts';
import type { Issue, IssueLabel, Team, WorkflowState } from './nodes.ts';
import { toInvalidInput } from './refusal.ts';
import { listTeamStates } from './teams.ts';
import type { LinearWorld } from './world.ts';

export function moveToTeam(
  world: LinearWorld,
  { state, labels, project }: Issue,
  team: Team,
): Pick<Issue, 'team' | 'state' | 'labels' | 'project'> {
  return {
    team,
    state: findMatchingState(world, state, team),
    labels: labels.flatMap((label) => findMatchingLabel(world, label, team)),
    project: project?.teams.includes(team) === true ? project : undefined,
  };
}

function findMatchingState(world: LinearWorld, { name, kind }: WorkflowState, team: Team): WorkflowState {
  const states = listTeamStates(world, team);
  const alike = states.filter((state) => state.kind === kind);
  const found =
    alike.find((state) => state.name.toLowerCase() === name.toLowerCase()) ?? alike[0] ?? states[0];
  if (found === undefined) throw toInvalidInput(`The team ${team.key} has no states`);
  return found;
}

function findMatchingLabel(world: LinearWorld, label: IssueLabel, team: Team): IssueLabel[] {
  if (label.team === undefined) return [label];
  const twin = findLabel(world, label.name, team);
  return twin === undefined || twin.isGroup ? [] : [twin];
}
