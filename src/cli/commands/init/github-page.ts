/** A board on GitHub in the words of `legion init` and `legion doctor`. */
import type { Columns } from '../../columns.ts';
import { type BoardSetup, STATUS_FIELD } from '../../github/board.ts';
import type { RepositoryLabels } from '../../github/labels.ts';
import type { Compared } from './board-page.ts';

export interface GithubCompared {
  readonly board: BoardSetup;
  readonly columns: Columns;
  readonly labels: readonly RepositoryLabels[];
}

export function inWords({ board, columns, labels }: GithubCompared): Compared {
  return {
    ...{ board, columns, columnWord: 'columns', columnHead: `COLUMN (${STATUS_FIELD})` },
    labels: labels.map(({ repo, missing }) => ({ what: `labels of ${repo}`, missing })),
    byHand: (missing) => byHand(board, missing),
  };
}

/** The safe way first: on its page GitHub keeps what each item has. */
export function byHand({ url }: Pick<BoardSetup, 'url'>, missing: readonly string[]): string {
  return [
    `Issues cannot be moved to ${missing.join(', ')}: add these options to the field ${STATUS_FIELD} at ${url}/settings.`,
    'Or let Legion write all options anew, while it notes the column of each item and sets it again:',
    '  legion init --create-missing --rewrite-options',
  ].join('\n');
}
