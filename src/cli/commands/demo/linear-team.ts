/** The team of Linear that a demo is played on: found, refused where people work on it, and given what it lacks. */

import { LegionError } from '../../../core/model/fault.ts';
import { labelLook } from '../../../core/model/label.ts';
import type { ColumnNames, Status } from '../../../core/model/status.ts';
import { STORIES } from '../../../demo/stories.ts';
import { readTeams, type Team } from '../../../integrations/linear/client/teams.ts';
import type { LinearClient } from '../../../linear/client.ts';
import { createMissing } from '../../../linear/create-missing.ts';
import { findTeam } from '../../../linear/find-team.ts';
import { compareStates } from '../../linear/states.ts';
import type { DemoOpenIssuesQuery } from '../setup/demo/generated/linear-documents.generated.ts';

/** Its states and labels by name. */
export interface DemoTeam {
  /** UUID. */
  readonly id: string;
  /** States that are not called as the status is. */
  readonly statuses: ColumnNames;
  stateId(status: Status): string;
  labelId(name: string): string;
}

/** Rejects where somebody's issues are open in it: the demo's workers would begin to work on them. */
export async function findDemoTeam(client: LinearClient, named: string, signal: AbortSignal): Promise<Team> {
  const team = findTeam(await readTeams(client, signal), named);
  const [problem] = compareStates(team, {}).problems;
  if (problem !== undefined) throw new LegionError('linear.refused', `${team.key}: ${problem}`);
  const { issues } = await client.query<DemoOpenIssuesQuery>(OPEN, { team: team.id }, { signal });
  const [open] = issues.nodes;
  if (open === undefined) return team;
  throw new LegionError('demo.team_busy', `${open.identifier} of the team ${team.key} is open`);
}

export const OPEN = `
query DemoOpenIssues($team: ID!) {
  issues(first: 1, filter: { team: { id: { eq: $team } }, state: { type: { nin: ["completed", "canceled", "duplicate"] } } }) {
    nodes { identifier }
  }
}`;

export async function prepareTeam(client: LinearClient, team: Team, signal: AbortSignal): Promise<DemoTeam> {
  const { missing } = compareStates(team, {});
  const there = new Set(team.labels.filter(({ isGroup }) => !isGroup).map(({ name }) => plain(name)));
  const ofStories = [...new Set(STORIES.flatMap((story) => story.labels))].filter((name) => !there.has(name));
  const labels = [...missing.labels, ...ofStories];
  const told = () => undefined;
  await createMissing({
    ...{ client, team: team.id, missing: { states: missing.states, labels }, look: labelLook, told, signal },
  });
  return whole(findTeam(await readTeams(client, signal), team.id));
}

/** Rejects where Linear does not show what it has just made. */
function whole(team: Team): DemoTeam {
  const { columns } = compareStates(team, {});
  const found = (what: string, id: string | undefined) => {
    if (id !== undefined) return id;
    throw new LegionError('linear.missing', `the team ${team.key} has no ${what}`);
  };
  return {
    id: team.id,
    statuses: columns.names,
    stateId(status) {
      const column = columns.rows.find((row) => row.status === status)?.column;
      return found(`state for ${status}`, team.states.find(({ name }) => name === column)?.id);
    },
    labelId: (name) =>
      found(
        `label ${name}`,
        team.labels.find((label) => !label.isGroup && plain(label.name) === plain(name))?.id,
      ),
  };
}

function plain(name: string): string {
  return name.trim().toLowerCase();
}
