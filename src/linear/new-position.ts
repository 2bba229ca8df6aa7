/** Where a new state goes among those of its type, so that a board shows the statuses in the pipeline's order. */
import type { Status } from '../domain/status.ts';
import type { TeamState } from './teams.ts';

export type Placed = Pick<TeamState, 'type' | 'position'>;

/** A status with its state; undefined where there is none yet. */
export interface Row {
  readonly status: Status;
  readonly state: Placed | undefined;
}

/** Right behind the status before it that has a state of its type, else right before the next one, else at the end. */
export function newPosition(
  index: number,
  type: string,
  rows: readonly Row[],
  states: readonly Placed[],
): number {
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
