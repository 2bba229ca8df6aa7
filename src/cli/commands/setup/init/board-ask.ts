/**
 * Describes a board for `legion init`, asks which column belongs to which status, and asks what to
 * create.
 */

import type { ColumnNames, Status } from '../../../../core/model/status.ts';
import { askChoice, askConfirmation, createCancelledError } from '../../../ask-person.ts';
import { type ColumnMapping, describeUnconfiguredColumns } from '../../../columns.ts';
import { renderHeading, renderParagraph } from '../../../present/page.ts';
import { renderTable, type TableCell } from '../../../present/table.ts';
import type { CommandContext } from '../../../program/define-command.ts';

export interface BoardComparison {
  readonly board: { readonly name: string; readonly title: string; readonly url: string };
  /** The service's word for columns, used in sentences and as a table heading. */
  readonly columnWord: 'columns' | 'states';
  readonly columnHead: string;
  readonly columns: ColumnMapping;
  readonly labels: readonly { readonly what: string; readonly missing: readonly string[] }[];
  /** Explains how a person adds the missing columns. */
  describeMissing(missing: readonly string[]): string;
  /** Problems that only a person can fix. */
  readonly problems?: readonly string[];
}

export interface CreatedBoardParts {
  readonly statuses: readonly string[];
  readonly labels: number;
  /** Number of items that were moved back to their columns. */
  readonly items: number;
}

export function renderBoardComparison({ board, columnHead, columns, labels }: BoardComparison): string {
  const rows = columns.rows.map(({ status, column }): readonly TableCell[] => [
    status,
    column ?? { text: 'missing', style: 'yellow' },
  ]);
  const ofLabels = labels.map(({ what, missing }): readonly TableCell[] => [
    what,
    missing.length === 0 ? 'all exist' : { text: describeMissingLabels(missing), style: 'yellow' },
  ]);
  return [
    renderHeading(`${board.name}: ${board.title}`),
    renderParagraph(board.url),
    renderTable(['STATUS', columnHead], [...rows, ...ofLabels]),
    columns.others.length === 0
      ? ''
      : renderParagraph(`Columns that Legion ignores: ${columns.others.join(', ')}`),
  ].join('');
}

export interface BoardInitSummary {
  readonly compared: BoardComparison;
  readonly made: CreatedBoardParts;
  readonly written: readonly string[];
  readonly steps: readonly string[];
  /** True if the file existed before and is left unchanged. */
  readonly kept: boolean;
}

export function renderBoardInitSummary({ compared, made, written, steps, kept }: BoardInitSummary): string {
  const { columns, labels, board, problems = [] } = compared;
  const isMade = made.statuses.length > 0;
  const missingColumns = isMade ? [] : columns.missing;
  const incompleteLabels = made.labels > 0 ? [] : labels.filter(({ missing }) => missing.length > 0);
  const lines = [
    ...(isMade ? [`created the ${compared.columnWord} ${made.statuses.join(', ')}`] : []),
    ...(made.items > 0 ? [`items moved back to their columns: ${made.items}`] : []),
    ...(made.labels > 0 ? [`labels created: ${made.labels}`] : []),
    ...written.map((path) => `wrote ${path}`),
  ];
  return [
    '\n',
    renderHeading(
      `${board.name} is ${missingColumns.length === 0 && problems.length === 0 ? 'ready' : 'not ready yet'}`,
    ),
    ...lines.map(renderParagraph),
    ...(missingColumns.length === 0
      ? []
      : [renderParagraph(`\n${compared.describeMissing(missingColumns)}`)]),
    ...problems.map((problem) => renderParagraph(`\n${problem}`)),
    ...(kept && Object.keys(columns.unconfigured).length > 0
      ? [renderParagraph(`\n${describeUnconfiguredColumns(columns.unconfigured)}`)]
      : []),
    ...(incompleteLabels.length === 0
      ? []
      : [
          renderParagraph(
            '\nLegion creates missing labels when it first needs them. To create them now, run `legion init --create-missing`.',
          ),
        ]),
    '\n',
    renderHeading('Next'),
    ...steps.map((step) => renderParagraph(`  ${step}`)),
  ].join('');
}

/**
 * With more missing labels than this, only their number is shown, because all sixteen names would
 * not fit on a line.
 */
const MAX_NAMED_LABELS = 4;

function describeMissingLabels(missing: readonly string[]): string {
  return missing.length > MAX_NAMED_LABELS ? `${missing.length} missing` : `missing: ${missing.join(', ')}`;
}

const NEW_COLUMN = '\u0000new';

/**
 * For each status without a column, asks which of the unassigned columns to use. `free` returns the
 * columns that a status could use.
 */
export async function askColumns(
  columns: ColumnMapping,
  context: CommandContext,
  free: (status: Status) => readonly string[] = () => columns.others,
): Promise<ColumnNames> {
  const names: Partial<Record<Status, readonly string[]>> = {};
  const chosen = new Set<string>();
  for (const status of columns.missing) {
    const left = free(status).filter((column) => !chosen.has(column));
    if (left.length === 0) continue;
    const choices = [
      { value: NEW_COLUMN, label: 'None of these' },
      ...left.map((column) => ({ value: column, label: column })),
    ];
    const answer = await askChoice(context, `Which column is ${status}?`, choices, NEW_COLUMN);
    if (answer === NEW_COLUMN) continue;
    names[status] = [answer];
    chosen.add(answer);
  }
  return names;
}

export async function askMakeLabels(count: number, context: CommandContext): Promise<boolean> {
  return askYesNo(`Create the ${count} missing labels?`, context);
}

/** Asks a yes-or-no question. The default answer is yes. */
export async function askYesNo(question: string, context: CommandContext): Promise<boolean> {
  const answer = await askConfirmation(context, question, true);
  if (answer === undefined) throw createCancelledError();
  return answer;
}
