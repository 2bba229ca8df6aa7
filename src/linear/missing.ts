/** What a Linear team lacks to be Legion's board: states for statuses, and labels. Reads and writes nothing. */

import { type ColumnNames, columnFor, STATUSES, type Status } from '../core/model/status.ts';
import { LABELS } from '../domain/label.ts';
import type { StateType, Team, TeamLabel, TeamState } from '../integrations/linear/client/teams.ts';

export interface Missing {
  /** To be created, in the pipeline's order. */
  readonly states: readonly NewState[];
  /** States that are there, under a name that only the configuration can tell Legion. */
  readonly unsaid: readonly { readonly status: Status; readonly state: string }[];
  /** States of a type that contradicts their status: Linear would take open issues for closed, or closed ones for open. */
  readonly unfit: readonly { readonly status: Status; readonly state: string; readonly type: string }[];
  readonly labels: readonly string[];
  /** Labels of Legion's in one group: putting one on an issue would take the others away. */
  readonly exclusive: readonly { readonly group: string; readonly labels: readonly string[] }[];
}

export interface NewState {
  readonly status: Status;
  readonly name: string;
  readonly type: StateType;
  readonly position: number;
  /** What a person should know about it. */
  readonly note?: string;
}

/** What Linear takes an issue of this status for. */
const TYPES: Readonly<Record<Status, StateType>> = {
  // Only Linear's own setting makes a state of the type triage.
  Triage: 'backlog',
  Icebox: 'backlog',
  Backlog: 'backlog',
  Todo: 'unstarted',
  'In Progress': 'started',
  Testing: 'started',
  'Needs Review': 'started',
  Retro: 'started',
  Done: 'completed',
};

const CLOSED: ReadonlySet<string> = new Set(['completed', 'canceled', 'duplicate']);

const TRIAGE_NOTE =
  'an ordinary state of the type backlog: Linear’s own Triage is switched on in the settings of the team';

export function missingIn(team: Pick<Team, 'states' | 'labels'>, columns: ColumnNames): Missing {
  const { states } = team;
  const names = states.map(({ name }) => name);
  const rows = STATUSES.map((status) => {
    const column = columnFor(status, names, columns);
    return { status, state: states.find(({ name }) => name === column) };
  });
  const triage = states.find(({ type }) => type === 'triage');
  const lacksTriage = rows.some(({ status, state }) => status === 'Triage' && state === undefined);
  const unsaid =
    lacksTriage && triage !== undefined ? [{ status: 'Triage', state: triage.name } as const] : [];
  return {
    states: newStates(rows, states, columns).filter(
      ({ status }) => !unsaid.some((each) => each.status === status),
    ),
    unsaid,
    unfit: rows.flatMap(({ status, state }) =>
      state !== undefined && !fits(status, state.type)
        ? [{ status, state: state.name, type: state.type }]
        : [],
    ),
    ...labelsOf(team.labels),
  };
}

/** One after the other: each finds its place among those before it. */
function newStates(
  rows: readonly Row[],
  states: readonly TeamState[],
  columns: ColumnNames,
): readonly NewState[] {
  const placed = [...rows];
  const all: Placed[] = [...states];
  return rows.flatMap(({ status, state }, index) => {
    if (state !== undefined) return [];
    const type = TYPES[status];
    const position = newPosition(index, type, placed, all);
    placed[index] = { status, state: { type, position } };
    all.push({ type, position });
    // The first of the operator's names is the one that is written.
    const made = { status, name: columns[status]?.[0] ?? status, type, position };
    return [status === 'Triage' ? { ...made, note: TRIAGE_NOTE } : made];
  });
}

function fits(status: Status, type: string): boolean {
  return status === 'Done' ? type === 'completed' : !CLOSED.has(type);
}

/** Names of labels are the same however they are capitalised; a group is no label that an issue could have. */
function labelsOf(labels: readonly TeamLabel[]): Pick<Missing, 'labels' | 'exclusive'> {
  const found = LABELS.map((name) => ({
    name,
    label: labels.find((each) => !each.isGroup && each.name.toLowerCase() === name),
  }));
  const grouped = Map.groupBy(
    found.filter(({ label }) => label?.group?.isExclusive === true),
    ({ label }) => label?.group?.name ?? '',
  );
  return {
    labels: found.filter(({ label }) => label === undefined).map(({ name }) => name),
    exclusive: [...grouped]
      .filter(([, members]) => members.length > 1)
      .map(([group, members]) => ({ group, labels: members.map(({ name }) => name) })),
  };
}

/** Where a new state goes among those of its type, so that a board shows the statuses in the pipeline's order. */
type Placed = Pick<TeamState, 'type' | 'position'>;

/** A status with its state; undefined where there is none yet. */
interface Row {
  readonly status: Status;
  readonly state: Placed | undefined;
}

/** Right behind the status before it that has a state of its type, else right before the next one, else at the end. */
function newPosition(index: number, type: string, rows: readonly Row[], states: readonly Placed[]): number {
  const ofType = (row: Row) => row.state?.type === type;
  const positions = states.filter((state) => state.type === type).map(({ position }) => position);
  const before = rows.slice(0, index).findLast(ofType)?.state?.position;
  const next = rows.slice(index + 1).find(ofType)?.state?.position;
  if (before !== undefined) return between(before, least(positions, before));
  if (next !== undefined) return between(most(positions, next), next);
  return positions.length === 0 ? 0 : Math.max(...positions) + 1;
}

/** Linear takes fractions. */
function between(low: number | undefined, high: number | undefined): number {
  if (low === undefined) return (high ?? 0) - 1;
  return high === undefined ? low + 1 : (low + high) / 2;
}

function least(positions: readonly number[], above: number): number | undefined {
  return positions.filter((position) => position > above).toSorted((a, b) => a - b)[0];
}

function most(positions: readonly number[], below: number): number | undefined {
  return positions.filter((position) => position < below).toSorted((a, b) => b - a)[0];
}
