/**
 * `legion issue move` and `legion issue close`: move an issue to another status, or out of the
 * pipeline.
 */
import { Command } from '@commander-js/extra-typings';
import { describeMoveEffects } from '../../../../core/model/lifecycle.ts';
import { STATUSES } from '../../../../core/model/status.ts';
import { issueEndpoints } from '../../../../protocol/endpoints/issues.ts';
import { parseIssueId, parseStatus } from '../../../parse-names.ts';
import { sanitizeLine } from '../../../present/terminal.ts';
import { daemonCommand } from '../../../program/daemon-command.ts';
import { ISSUE_HELP, renderExamples } from '../../../program/define-command.ts';

export const move = daemonCommand(
  () =>
    new Command()
      .description(
        'Move an issue to another status, from which the pipeline continues. Moving it to Done, Icebox or Backlog stops its workers.',
      )
      .argument('<ISSUE>', ISSUE_HELP)
      .argument(
        '<STATUS...>',
        `New status: ${STATUSES.join(', ')}. You can write in-progress for In Progress`,
      )
      .addHelpText('after', renderExamples('legion issue move SHOP-1 todo')),
  async ({ positionals: [issue, status] }, { daemon }) => {
    const body = { status: parseStatus(status.join(' ')) };
    const moved = await daemon.call(issueEndpoints.move, { params: { id: parseIssueId(issue) }, body });
    const lines = [
      `${moved.id} is in ${moved.status}`,
      ...describeMoveEffects(moved, Date.now()).map(sanitizeLine),
    ];
    return { data: moved, text: lines.join('\n') };
  },
);

export const close = daemonCommand(
  () =>
    new Command()
      .description('Close an issue, whether it is done or not, and stop its workers.')
      .argument('<ISSUE>', ISSUE_HELP),
  async ({ positionals: [issue] }, { daemon }) => {
    const closed = await daemon.call(issueEndpoints.close, { params: { id: parseIssueId(issue) } });
    const lines = [
      `${closed.id} is closed (column ${sanitizeLine(closed.column)})`,
      ...describeMoveEffects(closed, Date.now()).map(sanitizeLine),
    ];
    return { data: closed, text: lines.join('\n') };
  },
);
