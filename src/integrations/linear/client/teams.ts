/**
 * Reads the teams that are visible to the credential, with their states and available labels, and
 * finds the team that a person specified.
 */
import { LegionError, quoteText } from '../../../core/model/fault.ts';
import type { ForwardPage } from '../../../lib/paginate.ts';
import type { TeamsQuery } from '../generated/client.ts';
import type { LinearClient } from './client.ts';

export interface LinearTeam extends NamedTeam {
  /** True if only members can see the team. */
  readonly isPrivate: boolean;
  /** In Linear's order: by type, then by position. */
  readonly states: readonly TeamState[];
  /** Team labels, then workspace labels, each sorted by name. */
  readonly labels: readonly TeamLabel[];
}

/** In Linear's board order. */
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
  /** One of `STATE_TYPES`, or a type that Linear adds later. */
  readonly type: string;
  /** Order among the states of the same type. */
  readonly position: number;
}

export interface TeamLabel {
  readonly id: string;
  readonly name: string;
  /** Undefined for a workspace label. */
  readonly team: string | undefined;
  /** The label's group. An issue can have only one label of an exclusive group. */
  readonly group: { readonly id: string; readonly name: string; readonly isExclusive: boolean } | undefined;
  /** True for a label group, which an issue cannot have as a label. */
  readonly isGroup: boolean;
}

/** Returns all teams except retired ones. Rejects if any could not be read. */
export async function readTeams(client: LinearClient, signal: AbortSignal): Promise<readonly LinearTeam[]> {
  const teams: TeamAnswer[] = [];
  const states: StateAnswer[] = [];
  const labels: LabelAnswer[] = [];
  let request: TeamsPageRequest = { teams: true, states: true, labels: true };
  while (request.teams || request.states || request.labels) {
    const answer = await client.query<TeamsQuery>(TEAMS, { ...request }, { signal });
    teams.push(...(answer.teams?.nodes ?? []));
    states.push(...(answer.workflowStates?.nodes ?? []));
    labels.push(...(answer.issueLabels?.nodes ?? []));
    request = buildNextRequest(request, answer);
  }
  const inUse = teams.filter(({ retiredAt }) => retiredAt === null);
  return inUse.map((team) => buildTeam(team, states, labels)).toSorted((a, b) => (a.key < b.key ? -1 : 1));
}

/**
 * Linear's maximum page size. The three lists together cost about a fifth of what one request may
 * cost.
 */
const PAGE = 250;

/** Each list can be skipped, so that a list that was read to its end is not requested again. */
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

interface TeamsPageRequest {
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

function buildNextRequest(
  previous: TeamsPageRequest,
  { teams, workflowStates, issueLabels }: TeamsQuery,
): TeamsPageRequest {
  const teamsAfter = findNextCursor(teams, previous.teamsAfter);
  const statesAfter = findNextCursor(workflowStates, previous.statesAfter);
  const labelsAfter = findNextCursor(issueLabels, previous.labelsAfter);
  return {
    teams: teamsAfter !== undefined,
    teamsAfter,
    states: statesAfter !== undefined,
    statesAfter,
    labels: labelsAfter !== undefined,
    labelsAfter,
  };
}

/**
 * Returns the cursor of the next page, or undefined after the last. Rejects a repeated cursor,
 * which would loop forever.
 */
function findNextCursor(
  page: Pick<ForwardPage<unknown>, 'pageInfo'> | undefined,
  before: string | undefined,
): string | undefined {
  if (page === undefined || !page.pageInfo.hasNextPage) return undefined;
  const { endCursor } = page.pageInfo;
  if (endCursor === null || endCursor === before)
    throw new LegionError('linear.unavailable', 'Linear returned an endless list');
  return endCursor;
}

function buildTeam(
  { id, key, name, visibility }: TeamAnswer,
  states: readonly StateAnswer[],
  labels: readonly LabelAnswer[],
): LinearTeam {
  const sorted = labels.toSorted((a, b) => (a.name < b.name ? -1 : 1));
  const own = sorted.filter(({ team }) => team?.id === id);
  const shared = sorted.filter(({ team }) => team === null);
  return {
    id,
    key,
    name,
    isPrivate: visibility !== 'public',
    states: states.flatMap(({ team, ...state }) => (team.id === id ? [state] : [])).toSorted(compareStates),
    labels: [...own, ...shared].map(toTeamLabel),
  };
}

function compareStates(a: TeamState, b: TeamState): number {
  return findTypeRank(a.type) - findTypeRank(b.type) || a.position - b.position;
}

/** Sorts types that Linear added later to the end. */
function findTypeRank(type: string): number {
  const rank = STATE_TYPES.indexOf(type as StateType);
  return rank < 0 ? STATE_TYPES.length : rank;
}

/** Linear treats a group without a type as exclusive. */
function toTeamLabel({ id, name, team, parent, isGroup }: LabelAnswer): TeamLabel {
  const group =
    parent === null
      ? undefined
      : { id: parent.id, name: parent.name, isExclusive: parent.groupType !== 'multiSelect' };
  return { id, name, team: team?.id, group, isGroup };
}

export interface NamedTeam {
  /** UUID. */
  readonly id: string;
  /** Prefix of its issues' identifiers, such as `ENG`. */
  readonly key: string;
  readonly name: string;
}

/** Maximum number of teams listed in a message. */
const MAX_SUGGESTED_TEAMS = 5;

/**
 * Finds a team by the UUID, key or name that a person specified. Keys and UUIDs are unique and take
 * precedence. A name may belong to several teams, or equal another team's key.
 */
export function findTeam<T extends NamedTeam>(teams: readonly T[], text: string): T {
  const wanted = normalizeTeamText(text);
  const exact = teams.find(
    ({ id, key }) => normalizeTeamText(id) === wanted || normalizeTeamText(key) === wanted,
  );
  if (exact !== undefined) return exact;
  const named = teams.filter(({ name }) => normalizeTeamText(name) === wanted);
  const [only] = named;
  if (only === undefined) throw new LegionError('linear.missing', describeNoMatch(teams, text));
  if (named.length === 1) return only;
  throw new LegionError(
    'input.invalid',
    `${named.length} teams are named ${quoteText(text)}. Use the key of one: ${named.map(describeTeam).join(', ')}`,
  );
}

function describeNoMatch(teams: readonly NamedTeam[], text: string): string {
  if (teams.length === 0) return `Unknown team ${quoteText(text)}. The account cannot see any team`;
  const near = teams
    .map((team) => ({ team, likeness: computeLikeness(text, `${team.key} ${team.name}`) }))
    .toSorted((a, b) => b.likeness - a.likeness)
    .slice(0, MAX_SUGGESTED_TEAMS)
    .map(({ team }) => describeTeam(team));
  const introduction = near.length < teams.length ? `Closest of ${teams.length}:` : 'Visible teams:';
  return `Unknown team ${quoteText(text)}. ${introduction} ${near.join(', ')}`;
}

function describeTeam({ key, name }: NamedTeam): string {
  return `${key} (${quoteText(name)})`;
}

/** Counts the letter pairs that both texts contain, which is enough to rank typos first. */
function computeLikeness(a: string, b: string): number {
  const pairs = new Set(listLetterPairs(a));
  return listLetterPairs(b).filter((pair) => pairs.has(pair)).length;
}

function listLetterPairs(text: string): readonly string[] {
  const padded = ` ${normalizeTeamText(text)}`;
  return Array.from({ length: padded.length - 1 }, (_, at) => padded.slice(at, at + 2));
}

function normalizeTeamText(text: string): string {
  return text.trim().toLowerCase();
}
