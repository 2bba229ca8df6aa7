/** Maps a board's columns to Legion's statuses and finds statuses without a column. Does no I/O. */
import { LegionError } from '../core/model/fault.ts';
import { type ColumnNames, findColumn, readStatus, STATUSES, type Status } from '../core/model/status.ts';

export interface ColumnMapping {
  /**
   * Each status with its column. The column is undefined if the board has no column for the status.
   */
  readonly rows: readonly { readonly status: Status; readonly column: string | undefined }[];
  readonly missing: readonly Status[];
  /**
   * Column names that differ from their status, as written under `statuses` in the configuration.
   */
  readonly names: ColumnNames;
  /**
   * Entries of `names` that Legion cannot recognise without configuration, so the configuration has
   * to list them.
   */
  readonly unconfigured: ColumnNames;
  /** Columns that match no status. Legion leaves their issues alone. */
  readonly others: readonly string[];
}

/**
 * Compares the board's columns with the statuses. `configured` contains the operator's column
 * names. A column also matches a status if their names differ only in case, spaces or punctuation.
 */
export function compareColumns(options: readonly string[], configured: ColumnNames): ColumnMapping {
  const names: Partial<Record<Status, readonly string[]>> = { ...configured };
  const unconfigured: Partial<Record<Status, readonly string[]>> = {};
  for (const status of STATUSES) {
    if (findColumn(status, options, names) !== undefined) continue;
    const similar = options.find(
      (option) =>
        normalizeColumnName(option) === normalizeColumnName(status) &&
        readStatus(option, names) === 'unknown',
    );
    if (similar === undefined) continue;
    // The operator's names come first, because they may belong to a column that does not exist yet.
    names[status] = unconfigured[status] = [...(configured[status] ?? []), similar];
  }
  const rows = STATUSES.map((status) => ({ status, column: findColumn(status, options, names) }));
  for (const { status, column } of rows) {
    if (column !== undefined && column !== status && names[status] === undefined) names[status] = [column];
  }
  return {
    rows,
    missing: rows.flatMap(({ status, column }) => (column === undefined ? [status] : [])),
    names,
    unconfigured,
    others: options.filter((option) => readStatus(option, names) === 'unknown'),
  };
}

/** Throws if a status has configured columns and the board has none of them. */
export function refuseUnknownColumns(options: readonly string[], configured: ColumnNames): void {
  const missing = Object.values(configured).find((names) => !names.some((name) => isOneOf(options, name)));
  if (missing !== undefined)
    throw new LegionError(
      'tracker.column_missing',
      `The board has no column ${missing.join(' or ')}. Its columns: ${options.join(', ')}.`,
    );
}

/** Throws if a column has the name of one status but is mapped to another status. */
export function refuseTakenColumns(
  options: readonly string[],
  { missing }: Pick<ColumnMapping, 'missing'>,
): void {
  const mappedElsewhere = missing.find((status) => isOneOf(options, status));
  if (mappedElsewhere !== undefined)
    throw new LegionError(
      'config.columns_ambiguous',
      `The column ${mappedElsewhere} is mapped to a status other than ${mappedElsewhere}.`,
    );
}

function isOneOf(options: readonly string[], name: string): boolean {
  return options.some((option) => option.trim().toLowerCase() === name.trim().toLowerCase());
}

/** Inserts each missing status after its predecessor in the pipeline. */
export function withMissingColumns(
  options: readonly string[],
  { rows, missing }: Pick<ColumnMapping, 'rows' | 'missing'>,
): readonly string[] {
  const columnOf = new Map(rows.map(({ status, column }) => [status, column ?? status]));
  const columns = [...options];
  for (const status of missing) {
    const before = STATUSES.slice(0, STATUSES.indexOf(status)).toReversed();
    const predecessor = before
      .map((each) => columns.indexOf(columnOf.get(each) ?? each))
      .find((at) => at >= 0);
    columns.splice((predecessor ?? -1) + 1, 0, status);
  }
  return columns;
}

function normalizeColumnName(name: string): string {
  return name.toLowerCase().replace(/[^\p{L}\p{N}]/gu, '');
}

/** Explains which columns to add to an existing file, because `init` does not change the file. */
export function describeUnconfiguredColumns(columns: ColumnNames): string {
  const entries = Object.entries(columns).map(([status, names]) => `  ${status}: ${JSON.stringify(names)}`);
  return ['Add these columns to legion.yaml:', 'statuses:', ...entries].join('\n');
}
