/** What an issue keeps when it goes to another team: whatever that team has under the same name. */
import { labelNamed } from './labels.ts';
import type { Issue, IssueLabel, Team, WorkflowState } from './nodes.ts';
import { invalid } from './refusal.ts';
import { statesOf } from './teams.ts';
import type { World } from './world.ts';

export function moveToTeam(
  world: World,
  { state, labels, project }: Issue,
  team: Team,
): Pick<Issue, 'team' | 'state' | 'labels' | 'project'> {
  return {
    team,
    state: stateIn(world, state, team),
    labels: labels.flatMap((label) => labelIn(world, label, team)),
    project: project?.teams.includes(team) === true ? project : undefined,
  };
}

function stateIn(world: World, { name, kind }: WorkflowState, team: Team): WorkflowState {
  const states = statesOf(world, team);
  const alike = states.filter((state) => state.kind === kind);
  const found =
    alike.find((state) => state.name.toLowerCase() === name.toLowerCase()) ?? alike[0] ?? states[0];
  if (found === undefined) throw invalid(`The team ${team.key} has no states`);
  return found;
}

function labelIn(world: World, label: IssueLabel, team: Team): IssueLabel[] {
  if (label.team === undefined) return [label];
  const twin = labelNamed(world, label.name, team);
  return twin === undefined || twin.isGroup ? [] : [twin];
}
