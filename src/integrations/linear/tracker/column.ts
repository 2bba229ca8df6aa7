/** Maps Linear states to columns, and each status to the state that Legion sets for it. */
import { LegionError } from '../../../core/model/fault.ts';
import {
  type ColumnNames,
  findColumn,
  isFinished,
  type ObservedStatus,
  readStatus,
  type Status,
} from '../../../core/model/status.ts';
import type { StatePartsFragment } from '../generated/tracker.ts';
import type { LinearIssue } from './answer-schemas.ts';

/** Column names by state type, used for end states whose own names do not indicate an end. */
const ENDS: ReadonlyMap<string, string> = new Map([
  ['completed', 'Closed'],
  ['canceled', 'Canceled'],
  ['duplicate', 'Duplicate'],
]);

type LinearState = Pick<StatePartsFragment, 'name' | 'type'>;

/**
 * Returns the column name. The state type determines whether the column is an end column. A
 * completed state is Done only if its name means Done.
 */
export function resolveColumn({ name, type }: LinearState, names: ColumnNames): string {
  const end = ENDS.get(type);
  return end === undefined || isFinished(readStatus(name, names)) ? name : end;
}

export function resolveStatus(state: LinearState, names: ColumnNames): ObservedStatus {
  return readStatus(resolveColumn(state, names), names);
}

/** Returns true if the issue no longer blocks others. */
export function hasEnded(state: LinearState, names: ColumnNames): boolean {
  return ENDS.has(state.type) || isFinished(resolveStatus(state, names));
}

/**
 * Returns true if an issue of another team has ended. Checks only the state type, because that
 * team's state names are not configured here.
 */
export function hasEndedElsewhere({ type }: LinearState): boolean {
  return ENDS.has(type);
}

/** Throws if no state of the team means this status. */
export function requireState(
  status: Status,
  states: readonly StatePartsFragment[],
  names: ColumnNames,
): StatePartsFragment {
  const reading = states.filter((state) => resolveStatus(state, names) === status).toSorted(comparePositions);
  const wanted = findColumn(
    status,
    reading.map(({ name }) => name),
    names,
  );
  const state = reading.find(({ name }) => name === wanted);
  if (state === undefined)
    throw new LegionError(
      'tracker.column_missing',
      `The team has no state for ${status}. States: ${states.map(({ name }) => name).join(', ') || 'none'}`,
    );
  return state;
}

/** Returns the canceled state. If there are several, prefers the one named "Canceled". */
export function requireCanceledState(states: readonly StatePartsFragment[]): StatePartsFragment {
  const canceling = states.filter(({ type }) => type === 'canceled').toSorted(comparePositions);
  const state = canceling.find(({ name }) => /^cancell?ed$/i.test(name.trim())) ?? canceling[0];
  if (state === undefined)
    throw new LegionError('tracker.column_missing', 'The team has no state of type "canceled"');
  return state;
}

function comparePositions(a: StatePartsFragment, b: StatePartsFragment): number {
  return a.position - b.position;
}

/**
 * Computes the time at which an issue entered its current state. Uses Linear's state history, which
 * is returned with each issue. If the history lacks the current state, as for issues older than the
 * history, uses the last change of the state type. Nothing is remembered locally, so every process
 * computes the same time.
 */
export function computeEnteredAt(answer: LinearIssue): number {
  const { state, oneEnd, otherEnd, createdAt, startedAt, completedAt, canceledAt } = answer;
  const spans = [...oneEnd.nodes, ...otherEnd.nodes];
  const present = spans.find(({ stateId, endedAt }) => stateId === state.id && endedAt === null);
  const byType: Readonly<Record<string, string | null>> = {
    started: startedAt,
    completed: completedAt,
    canceled: canceledAt,
    duplicate: canceledAt,
  };
  const ofType = Object.hasOwn(byType, state.type) ? byType[state.type] : undefined;
  return parseFirstTime(present?.startedAt, ofType, createdAt);
}

/** Returns the first valid time, or 0 if none is valid. */
export function parseFirstTime(...texts: readonly (string | null | undefined)[]): number {
  return texts.map((text) => Date.parse(text ?? '')).find((time) => !Number.isNaN(time)) ?? 0;
}
