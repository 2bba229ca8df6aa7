/** The teams that the credential sees, each with its states and with the labels that its issues may have. */

import { LegionError } from '../../../core/model/fault.ts';
import type { Page } from '../../../lib/paginate.ts';
import type { LinearClient } from '../../../linear/client.ts';
import type { NamedTeam } from '../../../linear/find-team.ts';
import type { TeamsQuery } from '../generated/client.ts';

export interface Team extends NamedTeam {
  /** Only its members see it. */
  readonly isPrivate: boolean;
  /** As Linear shows them: by type, then by position. */
  readonly states: readonly TeamState[];
  /** The team's own, then those of the workspace; by name. */
  readonly labels: readonly TeamLabel[];
}

/** As Linear orders them on a board. */
export const STATE_TYPES = [
  'triage',
  'backlog',
  'unstarted',
  'started',
  'completed',
  'canceled',
  'duplicate',
] as const;

export type StateType = (typeof STATE_TYPES)[number];

export interface TeamState {
  readonly id: string;
  readonly name: string;
  /** One of `STATE_TYPES`, or what Linear adds one day. */
  readonly type: string;
  /** Counts only among states of the same type. */
  readonly position: number;
}

export interface TeamLabel {
  readonly id: string;
  readonly name: string;
  /** Undefined for one of the workspace. */
  readonly team: string | undefined;
  /** The group it is in; an issue has only one of an exclusive group. */
  readonly group: { readonly id: string; readonly name: string; readonly isExclusive: boolean } | undefined;
  /** It is a group itself, which no issue can have. */
  readonly isGroup: boolean;
}

/** Complete, or an error. Teams that take no issues any more are left out. */
export async function readTeams(client: LinearClient, signal: AbortSignal): Promise<readonly Team[]> {
  const teams: TeamAnswer[] = [];
  const states: StateAnswer[] = [];
  const labels: LabelAnswer[] = [];
  let ask: Asking = { teams: true, states: true, labels: true };
  while (ask.teams || ask.states || ask.labels) {
    const answer = await client.query<TeamsQuery>(TEAMS, { ...ask }, { signal });
    teams.push(...(answer.teams?.nodes ?? []));
    states.push(...(answer.workflowStates?.nodes ?? []));
    labels.push(...(answer.issueLabels?.nodes ?? []));
    ask = onward(ask, answer);
  }
  const inUse = teams.filter(({ retiredAt }) => retiredAt === null);
  return inUse.map((team) => assembled(team, states, labels)).toSorted((a, b) => (a.key < b.key ? -1 : 1));
}

/** Linear gives no more at once; the three together cost about a fifth of what one request may. */
const PAGE = 250;

/** A list whose last page was read is not asked for again. */
export const TEAMS = `
query Teams($teams: Boolean!, $states: Boolean!, $labels: Boolean!, $teamsAfter: String, $statesAfter: String, $labelsAfter: String) {
  teams(first: ${PAGE}, after: $teamsAfter) @include(if: $teams) {
    nodes { id key name visibility retiredAt }
    pageInfo { hasNextPage endCursor }
  }
  workflowStates(first: ${PAGE}, after: $statesAfter) @include(if: $states) {
    nodes { id name type position team { id } }
    pageInfo { hasNextPage endCursor }
  }
  issueLabels(first: ${PAGE}, after: $labelsAfter) @include(if: $labels) {
    nodes { id name isGroup team { id } parent { id name groupType } }
    pageInfo { hasNextPage endCursor }
  }
}`;

interface Asking {
  readonly teams: boolean;
  readonly states: boolean;
  readonly labels: boolean;
  readonly teamsAfter?: string | undefined;
  readonly statesAfter?: string | undefined;
  readonly labelsAfter?: string | undefined;
}

type TeamAnswer = NonNullable<TeamsQuery['teams']>['nodes'][number];
type StateAnswer = NonNullable<TeamsQuery['workflowStates']>['nodes'][number];
type LabelAnswer = NonNullable<TeamsQuery['issueLabels']>['nodes'][number];

function onward(asked: Asking, { teams, workflowStates, issueLabels }: TeamsQuery): Asking {
  const teamsAfter = after(teams, asked.teamsAfter);
  const statesAfter = after(workflowStates, asked.statesAfter);
  const labelsAfter = after(issueLabels, asked.labelsAfter);
  return {
    ...{ teams: teamsAfter !== undefined, teamsAfter },
    ...{ states: statesAfter !== undefined, statesAfter },
    ...{ labels: labelsAfter !== undefined, labelsAfter },
  };
}

/** Where the next page begins; undefined after the last. A cursor that stays would be asked for for ever. */
function after(
  page: Pick<Page<unknown>, 'pageInfo'> | undefined,
  before: string | undefined,
): string | undefined {
  if (page === undefined || !page.pageInfo.hasNextPage) return undefined;
  const { endCursor } = page.pageInfo;
  if (endCursor === null || endCursor === before)
    throw new LegionError('linear.unavailable', 'Linear gave a list that has no end');
  return endCursor;
}

function assembled(
  { id, key, name, visibility }: TeamAnswer,
  states: readonly StateAnswer[],
  labels: readonly LabelAnswer[],
): Team {
  const sorted = labels.toSorted((a, b) => (a.name < b.name ? -1 : 1));
  const own = sorted.filter(({ team }) => team?.id === id);
  const shared = sorted.filter(({ team }) => team === null);
  return {
    ...{ id, key, name, isPrivate: visibility !== 'public' },
    states: states.flatMap(({ team, ...state }) => (team.id === id ? [state] : [])).toSorted(byPlace),
    labels: [...own, ...shared].map(labelOf),
  };
}

function byPlace(a: TeamState, b: TeamState): number {
  return placeOf(a.type) - placeOf(b.type) || a.position - b.position;
}

/** A type that Linear has added since comes last. */
function placeOf(type: string): number {
  const place = STATE_TYPES.indexOf(type as StateType);
  return place < 0 ? STATE_TYPES.length : place;
}

/** A group without a type is exclusive, as Linear documents it. */
function labelOf({ id, name, team, parent, isGroup }: LabelAnswer): TeamLabel {
  const group =
    parent === null
      ? undefined
      : { id: parent.id, name: parent.name, isExclusive: parent.groupType !== 'multiSelect' };
  return { id, name, team: team?.id, group, isGroup };
}
