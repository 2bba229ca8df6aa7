/** `legion issue list`: shows the board as a table. */

import { Command } from '@commander-js/extra-typings';
import { isFinished, STATUSES } from '../../../../core/model/status.ts';
import type { IssueView } from '../../../../protocol/board.ts';
import { issueEndpoints } from '../../../../protocol/endpoints/issues.ts';
import { parseStatus } from '../../../parse-names.ts';
import { renderTable } from '../../../present/table.ts';
import { toPriorityLabel } from '../../../present/words.ts';
import { daemonCommand } from '../../../program/daemon-command.ts';
import { renderExamples } from '../../../program/define-command.ts';

export const list = daemonCommand(
  () =>
    new Command()
      .description('List the issues that are not done or closed.')
      .option('--status <STATUS>', 'List only issues with this status')
      .option('--all', 'Also list issues that are done or closed')
      .addHelpText('after', renderExamples('legion issue list', 'legion issue list --status in-progress')),
  async ({ options }, { daemon, columns }) => {
    const status = options.status === undefined ? undefined : parseStatus(options.status);
    const issues = await daemon.call(issueEndpoints.list);
    const wanted = issues
      .filter((issue) =>
        status === undefined ? options.all === true || !isFinished(issue.status) : issue.status === status,
      )
      .toSorted((a, b) => computePipelineRank(a) - computePipelineRank(b) || a.createdAt - b.createdAt);
    return { data: wanted, text: renderIssueTable(wanted, issues.length, columns) };
  },
);

function renderIssueTable(issues: readonly IssueView[], all: number, columns: number): string {
  if (issues.length === 0) {
    return all === 0
      ? 'The board is empty. Add an issue with `legion issue add TITLE`.'
      : `None of the ${all} issues match. Use --all to include done and closed issues.`;
  }
  const rows = issues.map((issue) => [
    issue.id,
    issue.status === 'unknown' || issue.status === 'terminal' ? issue.column : issue.status,
    toPriorityLabel(issue.priority),
    issue.title,
    issue.labels.join(' '),
    issue.blockedBy.join(' '),
  ]);
  return renderTable(['ISSUE', 'STATUS', 'PRIORITY', 'TITLE', 'LABELS', 'WAITS FOR'], rows, columns);
}

/** Returns the position of a status in the pipeline; unknown statuses come last. */
function computePipelineRank({ status }: IssueView): number {
  const index = (STATUSES as readonly string[]).indexOf(status);
  return index === -1 ? STATUSES.length : index;
}
