/** In which column an issue stands on GitHub, and since when. */
import { type ColumnNames, readStatus } from '../../core/model/status.ts';

/** Read as an end outside the pipeline by every reader of columns. */
const CLOSED = 'Closed';

export interface Standing {
  /** The board's own name of the option; empty where the issue has none, which reads as no status we know. */
  readonly option: string;
  /** When the option was chosen, and if it never was, when the issue came to the board. */
  readonly since: number;
  readonly closedAt: number | undefined;
  readonly reopenedAt: number | undefined;
}

export function columnOf({ option, closedAt }: Standing, names: ColumnNames): string {
  return closedAt === undefined || isDone(option, names) ? option : CLOSED;
}

/**
 * An issue that is Done is in its column since it was moved there, whenever it was closed or opened. Elsewhere closing it is
 * entering a column, and so is opening it again. What Legion moves while it is closed stays where it reads.
 */
export function enteredAt(standing: Standing, names: ColumnNames): number {
  const { option, since, closedAt, reopenedAt = since } = standing;
  if (isDone(option, names)) return since;
  return closedAt ?? Math.max(since, reopenedAt);
}

/** True where nobody has to wait for it any more. */
export function hasEnded(
  { option, closedAt }: Pick<Standing, 'option' | 'closedAt'>,
  names: ColumnNames,
): boolean {
  const status = readStatus(option, names);
  return closedAt !== undefined || status === 'Done' || status === 'terminal';
}

export function isDone(option: string, names: ColumnNames): boolean {
  return readStatus(option, names) === 'Done';
}
