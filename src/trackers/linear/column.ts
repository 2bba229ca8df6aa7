/** In which column an issue stands on Linear, and by which state it comes into another. */
import { LegionError } from '../../core/model/fault.ts';
import {
  type ColumnNames,
  columnFor,
  isFinished,
  readStatus,
  type SeenStatus,
  type Status,
} from '../../core/model/status.ts';
import type { StatePartsFragment } from '../../integrations/linear/generated/tracker.ts';

/** What an end is reported as where its own name does not read as one. */
const ENDS: ReadonlyMap<string, string> = new Map([
  ['completed', 'Closed'],
  ['canceled', 'Canceled'],
  ['duplicate', 'Duplicate'],
]);

type State = Pick<StatePartsFragment, 'name' | 'type'>;

/** The type decides what is an end; a completed state is Done only where its name says so. */
export function columnOf({ name, type }: State, names: ColumnNames): string {
  const end = ENDS.get(type);
  return end === undefined || isFinished(readStatus(name, names)) ? name : end;
}

export function statusOf(state: State, names: ColumnNames): SeenStatus {
  return readStatus(columnOf(state, names), names);
}

/** True where nobody has to wait for it any more. */
export function hasEnded(state: State, names: ColumnNames): boolean {
  return ENDS.has(state.type) || isFinished(statusOf(state, names));
}

/** The names of another team's states mean nothing here, so that only their type tells. */
export function hasEndedElsewhere({ type }: State): boolean {
  return ENDS.has(type);
}

/** Rejects where no state of the team reads as this status. */
export function stateFor(
  status: Status,
  states: readonly StatePartsFragment[],
  names: ColumnNames,
): StatePartsFragment {
  const reading = states.filter((state) => statusOf(state, names) === status).toSorted(byPosition);
  const wanted = columnFor(
    status,
    reading.map(({ name }) => name),
    names,
  );
  const state = reading.find(({ name }) => name === wanted);
  if (state === undefined)
    throw new LegionError(
      'tracker.column_missing',
      `the team has no state for ${status}, only ${states.map(({ name }) => name).join(', ') || 'none at all'}`,
    );
  return state;
}

/** The one called so where there are several that cancel. */
export function canceledState(states: readonly StatePartsFragment[]): StatePartsFragment {
  const canceling = states.filter(({ type }) => type === 'canceled').toSorted(byPosition);
  const state = canceling.find(({ name }) => /^cancell?ed$/i.test(name.trim())) ?? canceling[0];
  if (state === undefined)
    throw new LegionError('tracker.column_missing', 'the team has no state of the type canceled');
  return state;
}

function byPosition(a: StatePartsFragment, b: StatePartsFragment): number {
  return a.position - b.position;
}
