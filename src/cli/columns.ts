/** Which of a board's columns is which of Legion's statuses, and which statuses have none. Reads and writes nothing. */
import { LegionError } from '../core/model/fault.ts';
import { type ColumnNames, columnFor, readStatus, STATUSES, type Status } from '../core/model/status.ts';

export interface Columns {
  /** Each status with its column; undefined where the board has none. */
  readonly rows: readonly { readonly status: Status; readonly column: string | undefined }[];
  readonly missing: readonly Status[];
  /** For `statuses` in the configuration: the columns that are not called as the status is. */
  readonly names: ColumnNames;
  /** Those of `names` that Legion does not know by itself: without them in the configuration the columns mean nothing to it. */
  readonly unsaid: ColumnNames;
  /** Columns that mean nothing to Legion: issues in them are left alone. */
  readonly others: readonly string[];
}

/** `given` are the names an operator gives; a name that differs only in case, spaces or marks is found without them. */
export function compareColumns(options: readonly string[], given: ColumnNames): Columns {
  const names: Partial<Record<Status, readonly string[]>> = { ...given };
  const unsaid: Partial<Record<Status, readonly string[]>> = {};
  for (const status of STATUSES) {
    if (columnFor(status, options, names) !== undefined) continue;
    const alike = options.find(
      (option) => letters(option) === letters(status) && readStatus(option, names) === 'unknown',
    );
    if (alike === undefined) continue;
    // Behind what the operator has said, which may be about a column that is yet to come.
    names[status] = unsaid[status] = [...(given[status] ?? []), alike];
  }
  const rows = STATUSES.map((status) => ({ status, column: columnFor(status, options, names) }));
  for (const { status, column } of rows) {
    if (column !== undefined && column !== status && names[status] === undefined) names[status] = [column];
  }
  return {
    rows,
    missing: rows.flatMap(({ status, column }) => (column === undefined ? [status] : [])),
    names,
    unsaid,
    others: options.filter((option) => readStatus(option, names) === 'unknown'),
  };
}

/** A name that is no column. */
export function refuseUnknownNames(options: readonly string[], given: ColumnNames): void {
  const nowhere = Object.values(given).find((names) => !names.some((name) => isOneOf(options, name)));
  if (nowhere !== undefined)
    throw new LegionError(
      'tracker.column_missing',
      `the board has no column ${nowhere.join(' or ')}, only ${options.join(', ')}`,
    );
}

/** A column that one status has taken from the status it is called after. */
export function refuseTakenColumns(options: readonly string[], { missing }: Pick<Columns, 'missing'>): void {
  const taken = missing.find((status) => isOneOf(options, status));
  if (taken !== undefined)
    throw new LegionError(
      'config.columns_ambiguous',
      `the column ${taken} is given to another status than ${taken}`,
    );
}

function isOneOf(options: readonly string[], name: string): boolean {
  return options.some((option) => option.trim().toLowerCase() === name.trim().toLowerCase());
}

/** The options with the missing statuses among them, each behind the one that comes before it in the pipeline. */
export function withMissing(
  options: readonly string[],
  { rows, missing }: Pick<Columns, 'rows' | 'missing'>,
): readonly string[] {
  const columnOf = new Map(rows.map(({ status, column }) => [status, column ?? status]));
  const whole = [...options];
  for (const status of missing) {
    const before = STATUSES.slice(0, STATUSES.indexOf(status)).toReversed();
    const behind = before.map((each) => whole.indexOf(columnOf.get(each) ?? each)).find((at) => at >= 0);
    whole.splice((behind ?? -1) + 1, 0, status);
  }
  return whole;
}

function letters(name: string): string {
  return name.toLowerCase().replace(/[^\p{L}\p{N}]/gu, '');
}
