/** The columns of a board, and the mapping from and to a board's own column names. */
import type { Mode, Phase } from './mode.ts';

export const STATUSES = [
  'Triage',
  'Icebox',
  'Backlog',
  'Todo',
  'In Progress',
  'Testing',
  'Needs Review',
  'Retro',
  'Done',
] as const;

export type Status = (typeof STATUSES)[number];

/**
 * The meaning of a column name: a pipeline status, a final column outside the pipeline, or unknown.
 */
export const OBSERVED_STATUSES = [...STATUSES, 'terminal', 'unknown'] as const;
export type ObservedStatus = (typeof OBSERVED_STATUSES)[number];

/** Returns true for finished issues, inside or outside the pipeline. */
export function isFinished(status: string | undefined): boolean {
  return status === 'Done' || status === 'terminal';
}

const STATUS_ALIASES: Readonly<Record<string, ObservedStatus>> = {
  'in review': 'Needs Review',
  today: 'Todo',
  closed: 'terminal',
  canceled: 'terminal',
  cancelled: 'terminal',
  duplicate: 'terminal',
};

const BUILT_IN_STATUSES: ReadonlyMap<string, ObservedStatus> = new Map([
  ...STATUSES.map((status): [string, ObservedStatus] => [normalizeColumnName(status), status]),
  ...Object.entries(STATUS_ALIASES),
]);

/** A board's own names, by status. Legion writes the first name of a status. */
export type ColumnNames = Readonly<Partial<Record<Status, readonly string[]>>>;

/**
 * Reads a column name. An unknown name yields `unknown`, never an error, and its issue is skipped
 * for that reason.
 */
export function readStatus(column: string, names: ColumnNames = {}): ObservedStatus {
  const wanted = normalizeColumnName(column);
  for (const status of STATUSES) {
    if (names[status]?.some((name) => normalizeColumnName(name) === wanted)) return status;
  }
  return BUILT_IN_STATUSES.get(wanted) ?? 'unknown';
}

/**
 * Returns the board's exact option for `status`, or undefined if the board has none. The operator's
 * names come first, then the status's own name, then any other column that reads as this status. A
 * board with both "Today" and "Todo" uses "Todo".
 */
export function findColumn(
  status: Status,
  options: readonly string[],
  names: ColumnNames = {},
): string | undefined {
  for (const name of names[status] ?? []) {
    const option = options.find((candidate) => normalizeColumnName(candidate) === normalizeColumnName(name));
    if (option !== undefined) return option;
  }
  const candidates = options.filter((option) => readStatus(option, names) === status);
  return (
    candidates.find((option) => normalizeColumnName(option) === normalizeColumnName(status)) ?? candidates[0]
  );
}

/**
 * Returns column names that are mapped to two statuses. Such a mapping cannot be read back and must
 * be rejected.
 */
export function findAmbiguousColumns(names: ColumnNames): string[] {
  const owner = new Map<string, Status>();
  const clashes: string[] = [];
  for (const status of STATUSES) {
    for (const name of names[status] ?? []) {
      const earlier = owner.get(normalizeColumnName(name));
      if (earlier !== undefined && earlier !== status) clashes.push(name);
      owner.set(normalizeColumnName(name), status);
    }
  }
  return clashes;
}

function normalizeColumnName(column: string): string {
  return column.trim().toLowerCase();
}

/**
 * Determines a worker's phase: its mode, except for an implement worker in Retro. `column` is the
 * board's own name for the current column.
 */
export function resolvePhase(mode: Mode, column: string, names: ColumnNames): Phase {
  return toPhase(mode, readStatus(column, names));
}

export function toPhase(mode: Mode, status: ObservedStatus | undefined): Phase {
  return mode === 'implement' && status === 'Retro' ? 'retro' : mode;
}
