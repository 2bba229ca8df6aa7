/** Which state of a team is which of Legion's statuses, what the team lacks, and what is wrong with what it has. */
import type { ColumnNames, Status } from '../../core/model/status.ts';
import type { Team } from '../../integrations/linear/client/teams.ts';
import { type Missing, missingIn } from '../../linear/missing.ts';
import { type Columns, compareColumns } from '../columns.ts';

export interface TeamSetup {
  readonly columns: Columns;
  readonly missing: Missing;
  /** In sentences; nobody but a person can mend these. */
  readonly problems: readonly string[];
}

const ENDS: ReadonlySet<string> = new Set(['completed', 'canceled', 'duplicate']);

/** `given` are the names an operator gives; a name that differs only in case, spaces or marks is found without them. */
export function compareStates(team: Team, given: ColumnNames): TeamSetup {
  const options = team.states.map(({ name }) => name);
  const { unsaid: alike } = compareColumns(options, given);
  const byType = missingIn(team, given).unsaid.map(({ status, state }) => [status, [state]] as const);
  // Linear's own Triage is known by its type, whatever it is called.
  const unsaid: ColumnNames = { ...alike, ...Object.fromEntries(byType) };
  const columns = compareColumns(options, { ...given, ...unsaid });
  const missing = missingIn(team, columns.names);
  return {
    columns: { ...columns, unsaid, others: columns.others.filter((name) => !isEnd(team, name)) },
    missing,
    problems: [...missing.unfit.map(unfitText), ...missing.exclusive.map(exclusiveText)],
  };
}

/** States that could still be given to a status: an end only to Done, and nothing else to it. */
export function freeStates(team: Team, { others }: Columns, status: Status): readonly string[] {
  if (status !== 'Done') return others;
  return team.states.filter(({ type }) => type === 'completed').map(({ name }) => name);
}

function isEnd({ states }: Team, name: string): boolean {
  return states.some((state) => state.name === name && ENDS.has(state.type));
}

function unfitText({ status, state, type }: Missing['unfit'][number]): string {
  const wanted = status === 'Done' ? 'must be of the type completed' : 'must not be an end';
  return `The state ${state} is of the type ${type}, but ${status} ${wanted}: make another state in the team’s settings, and name it under statuses in legion.yaml.`;
}

function exclusiveText({ group, labels }: Missing['exclusive'][number]): string {
  return `The labels ${labels.join(', ')} are in the group ${group}, of which an issue has only one: take them out of it.`;
}
