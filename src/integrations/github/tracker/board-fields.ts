/**
 * Derives an issue's column, the time when the issue entered it, and its priority. Reads them from
 * the board's fields and the issue's labels.
 */
import type { IssuePriority } from '../../../core/model/issue.ts';
import { type ColumnNames, readStatus } from '../../../core/model/status.ts';

/**
 * Name of the column for closed issues. Every reader of columns treats it as an end status outside
 * the pipeline.
 */
const CLOSED = 'Closed';

export interface IssuePosition {
  /**
   * Name of the option chosen on the board. Empty if none is chosen; the status is then unknown.
   */
  readonly option: string;
  /**
   * Time at which the option was chosen. If none is chosen, the time at which the issue was added
   * to the board.
   */
  readonly since: number;
  readonly closedAt: number | undefined;
  readonly reopenedAt: number | undefined;
}

export function resolveColumn({ option, closedAt }: IssuePosition, names: ColumnNames): string {
  return closedAt === undefined || isDone(option, names) ? option : CLOSED;
}

/**
 * Returns the time at which the issue entered its column. For a Done issue, this is the time of the
 * move to Done, regardless of when the issue was closed or reopened. For other issues, closing and
 * reopening also set the time. A closed issue that Legion moves stays in the Closed column.
 */
export function computeEnteredAt(position: IssuePosition, names: ColumnNames): number {
  const { option, since, closedAt, reopenedAt = since } = position;
  if (isDone(option, names)) return since;
  return closedAt ?? Math.max(since, reopenedAt);
}

/** Returns true if the issue no longer blocks others. */
export function hasEnded(
  { option, closedAt }: Pick<IssuePosition, 'option' | 'closedAt'>,
  names: ColumnNames,
): boolean {
  const status = readStatus(option, names);
  return closedAt !== undefined || status === 'Done' || status === 'terminal';
}

export function isDone(option: string, names: ColumnNames): boolean {
  return readStatus(option, names) === 'Done';
}

/** Legion's priorities by word. 1 is the most urgent. */
const PRIORITY_WORDS: Readonly<Record<string, IssuePriority>> = {
  urgent: 1,
  critical: 1,
  highest: 1,
  high: 2,
  medium: 3,
  normal: 3,
  low: 4,
  lowest: 4,
  'no priority': 0,
  none: 0,
};

const PRIORITY_NAMES: Readonly<Record<IssuePriority, string>> = {
  0: 'none',
  1: 'urgent',
  2: 'high',
  3: 'medium',
  4: 'low',
};

/**
 * Returns the priority. `option` is the option chosen for the issue on the board, one of `options`.
 */
export function resolvePriority(
  option: string | undefined,
  options: readonly string[],
  labels: readonly string[],
): IssuePriority {
  const chosen = option === undefined ? undefined : readPriority(option, hasZero(options));
  if (chosen !== undefined) return chosen;
  const byLabel = labels.map(readPriorityLabel).filter((each) => each !== undefined && each > 0);
  return (byLabel.toSorted()[0] as IssuePriority | undefined) ?? 0;
}

/** Returns the option of the board's field whose name stands for this priority. */
export function findPriorityOption(priority: IssuePriority, options: readonly string[]): string | undefined {
  return options.find((option) => readPriority(option, hasZero(options)) === priority);
}

/** Returns the label for a priority on a board without a priority field. */
export function toPriorityLabel(priority: IssuePriority): string | undefined {
  return priority === 0 ? undefined : `priority: ${PRIORITY_NAMES[priority]}`;
}

function readPriorityLabel(label: string): IssuePriority | undefined {
  const [, word] = /^priority\s*[:/ -]\s*(.+)$/i.exec(label.trim()) ?? [];
  if (word !== undefined) return readPriority(word, true);
  return /^p[0-4]$/i.test(label.trim()) ? readPriority(label, true) : undefined;
}

/**
 * Parses a priority. P0 is the most urgent if the board has it, otherwise P1. Symbols before the
 * word, as in GitHub's template, are ignored.
 */
function readPriority(text: string, fromZero: boolean): IssuePriority | undefined {
  const word = text
    .toLowerCase()
    .replace(/[^a-z0-9 ]/g, '')
    .trim();
  const [, digit] = /^p([0-4])\b/.exec(word) ?? [];
  if (digit === undefined) return Object.hasOwn(PRIORITY_WORDS, word) ? PRIORITY_WORDS[word] : undefined;
  return Math.min(4, Number(digit) + (fromZero ? 1 : 0)) as IssuePriority;
}

function hasZero(options: readonly string[]): boolean {
  return options.length === 0 || options.some((option) => /\bp0\b/i.test(option));
}
