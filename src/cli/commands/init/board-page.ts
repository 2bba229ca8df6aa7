/** What `legion init` says about a board: each status with its column, what is missing, and what to do next. */
import type { ColumnNames } from '../../../core/model/status.ts';
import type { Columns } from '../../columns.ts';
import { heading, paragraph } from '../../present/page.ts';
import { type Cell, table } from '../../present/table.ts';

export interface Compared {
  readonly board: { readonly name: string; readonly title: string; readonly url: string };
  /** What its columns are called there, in a sentence and as the head of a table. */
  readonly columnWord: 'columns' | 'states';
  readonly columnHead: string;
  readonly columns: Columns;
  readonly labels: readonly { readonly what: string; readonly missing: readonly string[] }[];
  /** How a person adds columns. */
  byHand(missing: readonly string[]): string;
  /** What only a person can mend. */
  readonly problems?: readonly string[];
}

export interface Made {
  readonly statuses: readonly string[];
  readonly labels: number;
  /** Items that were put back into their columns. */
  readonly items: number;
}

export function comparison({ board, columnHead, columns, labels }: Compared): string {
  const rows = columns.rows.map(({ status, column }): readonly Cell[] => [
    status,
    column ?? { text: 'missing', style: 'yellow' },
  ]);
  const ofLabels = labels.map(({ what, missing }): readonly Cell[] => [
    what,
    missing.length === 0 ? 'all there' : { text: lackingText(missing), style: 'yellow' },
  ]);
  return [
    heading(`${board.name}: ${board.title}`),
    paragraph(board.url),
    table(['STATUS', columnHead], [...rows, ...ofLabels]),
    columns.others.length === 0 ? '' : paragraph(`Legion leaves alone: ${columns.others.join(', ')}`),
  ].join('');
}

export interface Ending {
  readonly compared: Compared;
  readonly made: Made;
  readonly written: readonly string[];
  readonly steps: readonly string[];
  /** The file was there before and stays as it is. */
  readonly kept: boolean;
}

export function ending({ compared, made, written, steps, kept }: Ending): string {
  const { columns, labels, board, problems = [] } = compared;
  const isMade = made.statuses.length > 0;
  const lacking = isMade ? [] : columns.missing;
  const without = made.labels > 0 ? [] : labels.filter(({ missing }) => missing.length > 0);
  const lines = [
    ...(isMade ? [`made the ${compared.columnWord} ${made.statuses.join(', ')}`] : []),
    ...(made.items > 0 ? [`items put back into their columns: ${made.items}`] : []),
    ...(made.labels > 0 ? [`labels made: ${made.labels}`] : []),
    ...written.map((path) => `wrote ${path}`),
  ];
  return [
    '\n',
    heading(
      `${board.name} is ${lacking.length === 0 && problems.length === 0 ? 'ready to begin' : 'not ready yet'}`,
    ),
    ...lines.map(paragraph),
    ...(lacking.length === 0 ? [] : [paragraph(`\n${compared.byHand(lacking)}`)]),
    ...problems.map((problem) => paragraph(`\n${problem}`)),
    ...(kept && Object.keys(columns.unsaid).length > 0 ? [paragraph(`\n${sayNames(columns.unsaid)}`)] : []),
    ...(without.length === 0
      ? []
      : [
          paragraph(
            '\nMissing labels are made when they are first needed; `legion init --create-missing` makes them now.',
          ),
        ]),
    '\n',
    heading('Next'),
    ...steps.map((step) => paragraph(`  ${step}`)),
  ].join('');
}

/** For a file that is there, which is not written to. */
export function sayNames(unsaid: ColumnNames): string {
  const entries = Object.entries(unsaid).map(([status, names]) => `  ${status}: ${JSON.stringify(names)}`);
  return ['Say in legion.yaml what these columns are:', 'statuses:', ...entries].join('\n');
}

/** All sixteen would not fit into a line, and nobody reads them. */
const NAMED_MOST = 4;

function lackingText(missing: readonly string[]): string {
  return missing.length > NAMED_MOST ? `${missing.length} missing` : `missing: ${missing.join(', ')}`;
}
