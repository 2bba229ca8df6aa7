/** `legion issue list`: the board as a table. */

import { Command } from '@commander-js/extra-typings';
import { isFinished, STATUSES } from '../../../../core/model/status.ts';
import type { IssueView } from '../../../../protocol/board.ts';
import { issueEndpoints } from '../../../../protocol/endpoints/issues.ts';
import { parseStatus } from '../../../parse-names.ts';
import { table } from '../../../present/table.ts';
import { priorityWord } from '../../../present/words.ts';
import { daemonCommand } from '../../../program/daemon-command.ts';
import { examples } from '../../../program/options.ts';

export const list = daemonCommand(
  () =>
    new Command()
      .description('List the issues that are not done or closed.')
      .option('--status <STATUS>', 'List only issues of this status')
      .option('--all', 'List issues that are done or closed, too')
      .addHelpText('after', examples('legion issue list', 'legion issue list --status in-progress')),
  async ({ options }, { daemon, columns }) => {
    const status = options.status === undefined ? undefined : parseStatus(options.status);
    const issues = await daemon.call(issueEndpoints.list);
    const wanted = issues
      .filter((issue) =>
        status === undefined ? options.all === true || !isFinished(issue.status) : issue.status === status,
      )
      .toSorted((a, b) => rank(a) - rank(b) || a.createdAt - b.createdAt);
    return { data: wanted, text: page(wanted, issues.length, columns) };
  },
);

function page(issues: readonly IssueView[], all: number, columns: number): string {
  if (issues.length === 0) {
    return all === 0
      ? 'The board is empty. Add an issue with `legion issue add TITLE`.'
      : `None of the ${all} issues match; --all lists those that are done, too.`;
  }
  const rows = issues.map((issue) => [
    issue.id,
    issue.status === 'unknown' || issue.status === 'terminal' ? issue.column : issue.status,
    priorityWord(issue.priority),
    issue.title,
    issue.labels.join(' '),
    issue.blockedBy.join(' '),
  ]);
  return table(['ISSUE', 'STATUS', 'PRIORITY', 'TITLE', 'LABELS', 'WAITS FOR'], rows, columns);
}

/** In the order of the pipeline; what it does not know comes last. */
function rank({ status }: IssueView): number {
  const place = (STATUSES as readonly string[]).indexOf(status);
  return place === -1 ? STATUSES.length : place;
}
