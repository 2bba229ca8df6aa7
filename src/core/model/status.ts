/** The columns of a board, and how a board's own column names are read and written. */

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

/** What a column name turned out to be: one of ours, an end outside the pipeline, or nothing we know. */
export const SEEN_STATUSES = [...STATUSES, 'terminal', 'unknown'] as const;
export type SeenStatus = (typeof SEEN_STATUSES)[number];

/** Whether an issue in this column is finished, inside the pipeline or outside of it. */
export function isFinished(status: string | undefined): boolean {
  return status === 'Done' || status === 'terminal';
}

const ALIASES: Readonly<Record<string, SeenStatus>> = {
  'in review': 'Needs Review',
  today: 'Todo',
  closed: 'terminal',
  canceled: 'terminal',
  cancelled: 'terminal',
  duplicate: 'terminal',
};

const BUILT_IN: ReadonlyMap<string, SeenStatus> = new Map([
  ...STATUSES.map((status): [string, SeenStatus] => [normalise(status), status]),
  ...Object.entries(ALIASES),
]);

/** A board's own names, by status; the first name of a status is the one that is written. */
export type ColumnNames = Readonly<Partial<Record<Status, readonly string[]>>>;

/** Reads a column name. An unknown name is a value, never an error: its issue is skipped with that reason. */
export function readStatus(column: string, names: ColumnNames = {}): SeenStatus {
  const wanted = normalise(column);
  for (const status of STATUSES) {
    if (names[status]?.some((name) => normalise(name) === wanted)) return status;
  }
  return BUILT_IN.get(wanted) ?? 'unknown';
}

/**
 * The exact option of this board that means `status`, or undefined where the board has none.
 * The operator's names come first, then the status's own name, then any other column that reads as this status: a board
 * with both "Today" and "Todo" means the second.
 */
export function columnFor(
  status: Status,
  options: readonly string[],
  names: ColumnNames = {},
): string | undefined {
  for (const name of names[status] ?? []) {
    const option = options.find((candidate) => normalise(candidate) === normalise(name));
    if (option !== undefined) return option;
  }
  const candidates = options.filter((option) => readStatus(option, names) === status);
  return candidates.find((option) => normalise(option) === normalise(status)) ?? candidates[0];
}

/** Column names claimed by two statuses; such a mapping cannot be read back and must be refused. */
export function ambiguousColumns(names: ColumnNames): string[] {
  const owner = new Map<string, Status>();
  const clashes: string[] = [];
  for (const status of STATUSES) {
    for (const name of names[status] ?? []) {
      const earlier = owner.get(normalise(name));
      if (earlier !== undefined && earlier !== status) clashes.push(name);
      owner.set(normalise(name), status);
    }
  }
  return clashes;
}

function normalise(column: string): string {
  return column.trim().toLowerCase();
}
