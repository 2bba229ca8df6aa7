/** Maps a Linear team's states to Legion's statuses and lists what is missing or wrong. */

import { LEGION_DEFAULTS, type LegionConfig } from '../config/legion/schema.ts';
import type { EnvironmentVariables } from '../core/model/environment.ts';
import type { ColumnNames, Status } from '../core/model/status.ts';
import type { LinearViewer } from '../integrations/linear/client/client.ts';
import { findMissingParts, type MissingTeamParts } from '../integrations/linear/client/create-missing.ts';
import { chooseLinearCredential } from '../integrations/linear/client/credential.ts';
import type { LinearTeam } from '../integrations/linear/client/teams.ts';
import { type ColumnMapping, compareColumns } from './columns.ts';

export interface TeamSetup {
  readonly columns: ColumnMapping;
  readonly missing: MissingTeamParts;
  /** Sentences about problems that only a person can fix. */
  readonly problems: readonly string[];
}

const END_TYPES: ReadonlySet<string> = new Set(['completed', 'canceled', 'duplicate']);

/**
 * Compares the team's states with the statuses. `configured` contains the operator's state names. A
 * state also matches a status if their names differ only in case, spaces or punctuation.
 */
export function compareStates(team: LinearTeam, configured: ColumnNames): TeamSetup {
  const options = team.states.map(({ name }) => name);
  const { unconfigured: similar } = compareColumns(options, configured);
  const byType = findMissingParts(team, configured).unsaid.map(
    ({ status, state }) => [status, [state]] as const,
  );
  // Linear's own Triage state is recognised by its type, so it may have any name.
  const unconfigured: ColumnNames = { ...similar, ...Object.fromEntries(byType) };
  const columns = compareColumns(options, { ...configured, ...unconfigured });
  const missing = findMissingParts(team, columns.names);
  return {
    columns: {
      ...columns,
      unconfigured,
      others: columns.others.filter((name) => !isEnd(team, name)),
    },
    missing,
    problems: [...missing.unfit.map(describeUnfitState), ...missing.exclusive.map(describeExclusiveLabels)],
  };
}

/**
 * Returns the states that a status can still be mapped to. Only a completed state can be mapped to
 * Done.
 */
export function listFreeStates(
  team: LinearTeam,
  { others }: ColumnMapping,
  status: Status,
): readonly string[] {
  if (status !== 'Done') return others;
  return team.states.filter(({ type }) => type === 'completed').map(({ name }) => name);
}

function isEnd({ states }: LinearTeam, name: string): boolean {
  return states.some((state) => state.name === name && END_TYPES.has(state.type));
}

function describeUnfitState({ status, state, type }: MissingTeamParts['unfit'][number]): string {
  const wanted = status === 'Done' ? 'needs a state of type completed' : 'cannot use an end state';
  return `The state ${state} has type ${type}, but ${status} ${wanted}. Create another state in the team’s settings and list it under statuses in legion.yaml.`;
}

function describeExclusiveLabels({ group, labels }: MissingTeamParts['exclusive'][number]): string {
  return `The labels ${labels.join(', ')} are in the group ${group}, and an issue can have only one label of a group. Move them out of it.`;
}

/**
 * Builds the web address of a Linear team, because the API does not return it. Returns an empty
 * string for a Linear server at another address, because such a server has no web pages.
 */
export function buildTeamUrl(url: string, { workspace }: LinearViewer, key: string): string {
  return url === LEGION_DEFAULTS.linear.url ? `https://linear.app/${workspace.urlKey}/team/${key}` : '';
}

/**
 * Describes the Linear credential that a configuration refers to. Throws `linear.unauthorized` if
 * there is none. Does not read the secret: only the description is needed, so the reference is
 * passed in place of the secret.
 */
export function describeLinearCredential(
  { credentials: { linear } }: LegionConfig,
  environment: EnvironmentVariables,
): string {
  return chooseLinearCredential({ apiKey: linear.api_key, accessToken: linear.access_token, environment })
    .source;
}

export function describeMissingStates(missing: readonly string[]): string {
  return [
    `Issues cannot be moved to ${missing.join(', ')}. Let Legion create these states, which changes nothing else:`,
    '  legion init --create-missing',
    'Or add them in the team’s settings, or list the states with the same meaning under `statuses` in legion.yaml.',
  ].join('\n');
}
